import type { Lease } from '../../core/threads/lease.ts'
import type { Thread } from '../../core/threads/thread.ts'
import type { MadeQuery } from '../compile.ts'

export type ThreadRow = Thread & { priority_rank: number }

export function toThread({ priority_rank: _, ...thread }: ThreadRow): Thread {
  return thread
}

type LeaseColumns = Omit<Lease, 'thread_id'>
export type LeasedRow = ThreadRow & (LeaseColumns | { [Column in keyof LeaseColumns]: null })

export function splitLeased(row: LeasedRow): { thread: Thread; lease: Lease | null } {
  const { agent_id, lease_token, generation, lease_seconds, claimed_at, ...rest } = row
  const { expires_at, released_at, ...thread } = rest
  const columns = { agent_id, lease_token, generation, lease_seconds, claimed_at }
  const lease = { thread_id: row.thread_id, ...columns, expires_at, released_at }
  return { thread: toThread(thread), lease: lease_token === null ? null : (lease as Lease) }
}

// Compares in code unit order, as both engines sort: "C" on PostgreSQL, BINARY on SQLite.
export function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}

/** The threads an agent holds, soonest to lapse first. */
export const HELD: MadeQuery = {
  name: 'threads_held',
  text: `select t.thread_id, t.subject from leases l cross join threads t
    where l.agent_id = :agent and l.released_at is null and l.expires_at > :now
      and t.thread_id = l.thread_id and t.kind = 'work'
    order by l.expires_at limit :limit`,
}
