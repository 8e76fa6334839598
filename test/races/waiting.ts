// Detects when a process really waits for a lock that another one holds.

import { readFileSync } from 'node:fs'
import type { TestStore } from '../worlds/store.ts'
import { until } from '../worlds/world.ts'

/** PostgreSQL reports waiting sessions. On SQLite the process sleeps and retries, so we count its context switches. */
export async function untilWaiting(store: TestStore, pid: number): Promise<void> {
  if (store.engine === 'postgres') {
    await until(
      async () => (await waitingSessions(store)).length > 0,
      'a session that waits for a lock',
    )
    return
  }
  const start = switches(pid)
  // Each retry sleeps for at most 8 ms. After twenty switches the process must be past its first try.
  await until(async () => switches(pid) > start + 20, 'a process that tries for the write lock')
}

export async function waitingSessions(store: TestStore): Promise<Record<string, unknown>[]> {
  return store.sql(
    `select pid, query, wait_event from pg_stat_activity
     where datname = current_database() and wait_event_type = 'Lock'`,
  )
}

function switches(pid: number): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8')
  return Number(/^voluntary_ctxt_switches:\s+(\d+)$/m.exec(status)?.[1])
}
