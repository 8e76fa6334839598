// Splits a long read into pieces, because a server reads SQLite on its only thread. Between two pieces, the server
// handles whatever else has arrived, and callers take turns: no one gets a second piece before every waiting caller has
// had one. A caller with a long search therefore slows down only its own searches.

import type { Context } from './operation.ts'
import type { QuotaHolder } from './quota.ts'

/**
 * How many rounds the event loop makes before each piece. A call takes a few rounds from its first byte to its answer,
 * and should wait for one piece on the way, not one per round. An idle round costs next to nothing.
 */
export const FREE_ROUNDS = 8

/** Reads that are waiting for a piece, by caller. The first caller is next. */
const waiting = new Map<string, (() => void)[]>()

/** Resolves when this caller may read one more piece. Unidentified callers count as one. */
export function nextPiece(holder: QuotaHolder | undefined): Promise<void> {
  const key = holder === undefined ? '' : keyOf(holder)
  if (waiting.size === 0) comeRound(FREE_ROUNDS)
  const { promise, resolve } = Promise.withResolvers<void>()
  const line = waiting.get(key)
  if (line === undefined) waiting.set(key, [resolve])
  else line.push(resolve)
  return promise
}

export type Looker = Pick<Context, 'store' | 'caller'>

/**
 * Call the returned function before each piece of a read. The first piece doesn't wait, because most reads have only
 * one, and so that its query shares a connection with other callers' queries.
 */
export function turnsFor({ store, caller }: Looker): () => Promise<void> | undefined {
  const { principal } = caller
  const holder = principal && { store, principal }
  let isFirst = true
  return () => {
    const turn = isFirst ? undefined : nextPiece(holder)
    isFirst = false
    return turn
  }
}

function comeRound(left: number): void {
  setImmediate(() => {
    if (left > 1) comeRound(left - 1)
    else giveTurn()
  })
}

function giveTurn(): void {
  for (const [key, line] of waiting) {
    waiting.delete(key)
    const begin = line.shift()
    if (line.length > 0) waiting.set(key, line)
    if (waiting.size > 0) comeRound(FREE_ROUNDS)
    begin?.()
    return
  }
}

function keyOf({ store, principal }: QuotaHolder): string {
  return JSON.stringify([store.place, principal.kind, principal.name])
}
