// Locks threads in a unit of work. Each lock returns the thread's state and the time, both read after the lock was
// granted: on PostgreSQL, a join would show the lease as it was before, and the time must not be older than the lock.

import type { LockedThread, Tx } from '../../core/store.ts'
import { hasLapsed, type Lease } from '../../core/threads/lease.ts'
import type { ThreadReads } from '../../core/threads/thread-reads.ts'
import type { Instant } from '../../core/time.ts'
import { first, type Querier } from '../querier.ts'
import { type ThreadRow, toThread } from './thread-row.ts'

type ThreadLocks = Pick<Tx, 'lock' | 'lockAll' | 'lockNext' | 'lockLapsed'>

export function makeThreadLocks(
  querier: Querier,
  now: () => Promise<Instant>,
  { asking }: Pick<ThreadReads, 'asking'>,
): ThreadLocks {
  const lock = async (thread_id: string): Promise<LockedThread | null> => {
    const [row, lease, moment] = await Promise.all([
      first(querier.all<ThreadRow>('thread_lock', { thread_id })),
      first(querier.all<Lease>('lease_get', { thread_id })),
      now(),
    ])
    return row && { state: { thread: toThread(row), lease }, now: moment }
  }

  /** Like `lock`, for a row that's already locked. */
  const readLocked = async (row: ThreadRow): Promise<LockedThread> => {
    const [lease, moment] = await Promise.all([
      first(querier.all<Lease>('lease_get', { thread_id: row.thread_id })),
      now(),
    ])
    return { state: { thread: toThread(row), lease }, now: moment }
  }

  const lockBest: Tx['lockNext'] = async (agent) => {
    const [pending, lapsed, ofRole] = await Promise.all([
      querier.all<ThreadRow>('thread_lock_pending', { agent }),
      querier.all<ThreadRow>('thread_lock_lapsed_of', { agent }),
      querier.all<ThreadRow>('thread_next_of_role', { agent }),
    ])
    const best = [...pending, ...lapsed, ...ofRole].sort(
      (a, b) =>
        a.priority_rank - b.priority_rank ||
        (a.created_at < b.created_at ? -1 : a.created_at > b.created_at ? 1 : 0),
    )
    for (const found of best) {
      // Other members of the role may want this work too, so it's only locked when it's taken.
      const [row] = ofRole.includes(found)
        ? await querier.all<ThreadRow>('thread_lock_role', { agent, role: found.assigned_to })
        : [found]
      if (row === undefined) continue
      const [locked, question] = await Promise.all([readLocked(row), asking(row.thread_id)])
      // If the lease was renewed between the query and the lock, the thread can't be taken.
      if (row.status === 'pending' || hasLapsed(locked.state.lease, locked.now)) {
        return { ...locked, asking: question }
      }
    }
    return null
  }

  return {
    lock,
    async lockAll(threadIds) {
      const locks = await Promise.all([...new Set(threadIds)].sort().map(lock))
      return locks.filter((one) => one !== null)
    },
    async lockNext(agent) {
      for (;;) {
        const found = await lockBest(agent)
        if (found !== null) return found
        // Rows locked by another writer are skipped in favor of free ones. If none is free, wait for that writer: it
        // may only be marking a message, in which case no one would ever be told about the work again.
        const passed = await first(
          querier.all<{ thread_id: string }>('thread_passed_over', { agent }),
        )
        if (passed === null) return null
        await querier.all('thread_lock', passed)
      }
    },
    async lockLapsed(limit) {
      const rows = await querier.all<ThreadRow>('threads_lock_lapsed', { limit })
      return Promise.all(rows.map(readLocked))
    },
  }
}
