// A writer is paused with its event written and its transaction open, then a second writer starts, and a reader follows
// the log with a cursor. The reader sees both events only if ids appear in commit order.

import { connect } from '../../src/index.ts'
import { startActor } from '../programs/start.ts'
import type { TestStore } from '../worlds/store.ts'
import { until } from '../worlds/world.ts'
import { waitingSessions } from './waiting.ts'

export type Followed = { shown: number[]; logged: number[]; secondWaited: boolean }

export async function followLateCommit(store: TestStore, source?: string): Promise<Followed> {
  const [first, second] = await Promise.all([
    startActor(store.address, 'first', { source }),
    startActor(store.address, 'second', { source }),
  ])
  const reader = await connect(store.address)
  let cursor = 0
  const shown: number[] = []
  const look = async () => {
    for (;;) {
      const seen = await reader.watch({ after_event: cursor, timeout_seconds: 1 })
      if (!seen.woke) return
      cursor = seen.next_event_id
      shown.push(...seen.events.map(({ event_id }) => event_id))
    }
  }
  try {
    await second.call('send', { to: 'worker', subject: 'zero' })
    await look()
    const held = await first.hold('send', { to: 'worker', subject: 'one' }, 'written')
    // The test means nothing until the server has executed the paused process's append.
    await until(() => hasAppended(store), 'a transaction that has appended and not committed')
    let isSecondDone = false
    const other = second.call('send', { to: 'worker', subject: 'two' }).finally(() => {
      isSecondDone = true
    })
    await until(
      async () => isSecondDone || (await waitingSessions(store)).length > 0,
      'a second writer that has committed or waits',
    )
    const secondWaited = !isSecondDone
    await look()
    first.resume()
    await Promise.all([held.answer, other])
    await look()
    const rows = await store.sql(
      "select event_id from events where thread_id <> '' order by event_id",
    )
    return { shown, logged: rows.map((row) => Number(row.event_id)), secondWaited }
  } finally {
    await Promise.all([first.close(), second.close(), reader.close()])
  }
}

async function hasAppended(store: TestStore): Promise<boolean> {
  const rows = await store.sql(
    `select pid from pg_stat_activity where datname = current_database()
     and state = 'idle in transaction' and query like '%append_events%'`,
  )
  return rows.length > 0
}
