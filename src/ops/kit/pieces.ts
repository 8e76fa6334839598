// Cuts a long look into pieces, because a server reads SQLite on its only thread. Between two pieces the server
// handles whatever else arrived, and callers take turns: no one gets a second piece before every waiting caller has
// had one. So a caller that searches a lot only slows down its own searches.

import type { Context } from './operation.ts'
import type { QuotaHolder } from './quota.ts'

/**
 * How many times the event loop runs before each piece. A call needs a few rounds from its first byte to its answer,
 * and should meet one piece on the way, not one per round. An idle round costs next to nothing.
 */
export const FREE_ROUNDS = 8

/** Looks waiting for a piece, by caller; the first caller is next. */
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
 * Called before each piece of one look. The first piece is free, because most looks have only one. Its caller doesn't
 * wait at all, so that its query goes out on one connection together with those of other callers.
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
