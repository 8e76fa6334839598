// Process A: sends one message after another, and records the time before each.

import { connect } from '../src/index.ts'
import { answer, nextMessage } from './child.ts'
import { sharedMs } from './clock.ts'

export type SenderTask = { db: string; to: string; messages: number; gapMs: [number, number] }

const { db, to, messages, gapMs } = await nextMessage<SenderTask>()
const inbox = await connect(db, { agent: 'sender' })
const times: number[] = []
for (let i = 0; i < messages; i++) {
  const [least, most] = gapMs
  await Bun.sleep(least + Math.random() * (most - least))
  times.push(sharedMs())
  await inbox.mailSend({ to, subject: String(i), body: 'A message of ordinary length. '.repeat(8) })
}
answer(times)
await inbox.close()
