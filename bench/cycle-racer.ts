// One of several processes that each work through their own threads in one store as fast as they can.

import { connect } from '../src/index.ts'
import { answer, nextMessage } from './child.ts'
import { sharedMs } from './clock.ts'

export type RacerTask = { db: string; agent: string }

const task = await nextMessage<RacerTask>()
const inbox = await connect(task.db, { agent: task.agent })
await inbox.list({})
answer('ready')
const { from, until } = await nextMessage<{ from: number; until: number }>()
await Bun.sleep(Math.max(0, from - sharedMs()))
let cycles = 0
let slowestMs = 0
while (sharedMs() < until) {
  const startedAt = sharedMs()
  const { thread } = await inbox.claim({})
  if (thread === null) throw new Error('nothing left')
  await inbox.update({ thread: thread.thread_id, status: 'in_progress', summary: 'half' })
  await inbox.done({ thread: thread.thread_id, summary: 'all of it' })
  slowestMs = Math.max(slowestMs, sharedMs() - startedAt)
  cycles++
}
answer({ cycles, slowestMs })
