// Process B: blocks in `mail read` again and again, and records when each message was handed over.

import { connect } from '../src/index.ts'
import { answer, nextMessage } from './child.ts'
import { sharedMs } from './clock.ts'

export type ReaderTask = { db: string; agent: string; messages: number }

const { db, agent, messages } = await nextMessage<ReaderTask>()
const inbox = await connect(db, { agent })
const times: number[] = []
let since = String((await inbox.mailRead({})).next_event_id)
answer('ready')
while (times.length < messages) {
  const read = await inbox.mailRead({ since, timeout_seconds: 60 })
  const at = sharedMs()
  for (const { subject } of read.messages) {
    if (subject !== String(times.length)) throw new Error(`wanted ${times.length}, got ${subject}`)
    times.push(at)
  }
  since = String(read.next_event_id)
}
answer(times)
await inbox.close()
