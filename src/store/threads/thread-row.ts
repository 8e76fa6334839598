// A thread as it lies in its row.

import type { Lease } from '../../core/threads/lease.ts'
import type { Thread } from '../../core/threads/thread.ts'

export type ThreadRow = Thread & { priority_rank: number }

export function toThread({ priority_rank: _, ...thread }: ThreadRow): Thread {
  return thread
}

type LeaseColumns = Omit<Lease, 'thread_id'>
/** A thread with the columns of its lease, null when it never had one. */
export type LeasedRow = ThreadRow & (LeaseColumns | { [Column in keyof LeaseColumns]: null })

export function splitLeased(row: LeasedRow): { thread: Thread; lease: Lease | null } {
  const { agent_id, lease_token, generation, lease_seconds, claimed_at, ...rest } = row
  const { expires_at, released_at, ...thread } = rest
  const columns = { agent_id, lease_token, generation, lease_seconds, claimed_at }
  const lease = { thread_id: row.thread_id, ...columns, expires_at, released_at }
  return { thread: toThread(thread), lease: lease_token === null ? null : (lease as Lease) }
}

// Code unit order, as both engines sort: "C" on PostgreSQL, BINARY on SQLite.
export function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}
