// A thread as it lies in its row.

import type { Thread } from '../core/thread.ts'

export type ThreadRow = Thread & { priority_rank: number }

export function toThread({ priority_rank: _, ...thread }: ThreadRow): Thread {
  return thread
}

// Code unit order, as both engines sort: "C" on PostgreSQL, BINARY on SQLite.
export function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}
