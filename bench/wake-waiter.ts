// Process B: blocks in wait-reply again and again, and records when each call returned.

import { connect } from '../src/index.ts'
import { answer, nextMessage } from './child.ts'
import { sharedMs } from './clock.ts'

export type WaiterTask = {
  db: string
  thread: string
  after: number
  replies: number
  /** Undefined for a caller that only watches and has no read mark. */
  agent?: string
}

const task = await nextMessage<WaiterTask>()
const inbox = await connect(task.db)
const times: number[] = []
let after = task.after
await inbox.show({ thread: task.thread })
answer('ready')
for (let i = 0; i < task.replies; i++) {
  const { thread, agent } = task
  const { message, next_event_id } = await inbox.waitReply({
    thread,
    ...(agent === undefined ? {} : { agent }),
    after_event: after,
    timeout_seconds: 60,
  })
  times.push(sharedMs())
  if (message?.summary !== String(i)) throw new Error(`wanted reply ${i}, got ${message?.summary}`)
  after = next_event_id
}
answer(times)
