// The agent's process: blocks in `request wait` for one request after another, and records when each call returned.

import { connect } from '../src/index.ts'
import { answer, nextMessage } from './child.ts'
import { sharedMs } from './clock.ts'

export type AwaitTask = { db: string; requests: string[] }

const { db, requests } = await nextMessage<AwaitTask>()
const inbox = await connect(db, { agent: 'asker_1' })
for (const request of requests) {
  answer('waiting')
  const { decision } = await inbox.requestWait({ request, timeout_seconds: 60 })
  const at = sharedMs()
  if (decision?.status !== 'approved') throw new Error(`${request} was not approved`)
  answer(at)
}
