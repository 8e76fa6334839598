// Process A: replies to one thread and records when each commit returned. It is composed of the same parts as the
// library, but hooks into the commit itself, because the call returns a little later.

import { openMailroom } from '../src/bin/compose.ts'
import type { Point } from '../src/core/store.ts'
import { call } from '../src/ops/call.ts'
import { loadOperation } from '../src/ops/catalogue.ts'
import { openPostgres } from '../src/store/postgres/store.ts'
import { openSqlite } from '../src/store/sqlite/store.ts'
import { answer, nextMessage } from './child.ts'
import { sharedMs } from './clock.ts'

export type WriterTask = {
  db: string
  thread: string
  replies: number
  /** The number of replies sent without a pause before each gap. */
  burst: number
  gapMs: [number, number]
}

const task = await nextMessage<WriterTask>()
let committedAt = 0
const onPoint = (point: Point) => {
  if (point === 'committed') committedAt = sharedMs()
}
const mailroom = await openMailroom(task.db)
const { store, bell } = task.db.startsWith('postgres')
  ? await openPostgres({ url: task.db, makeKey: () => mailroom.makeId('key'), onPoint })
  : {
      bell: mailroom.bell,
      store: await openSqlite({
        path: task.db,
        afterCommit: () => mailroom.bell.ring(),
        systemClock: Date.now,
        onPoint,
      }),
    }
const { signal } = new AbortController()
const house = { ...mailroom, store, bell }
const op = await loadOperation('reply')
const times: number[] = []
for (let i = 0; i < task.replies; i++) {
  if (i % task.burst === 0) {
    const [least, most] = task.gapMs
    await Bun.sleep(least + Math.random() * (most - least))
  }
  const raw = { from: 'lead', thread: task.thread, summary: String(i) }
  await call(house, { op, raw, door: 'library', signal })
  times.push(committedAt)
}
answer(times)
