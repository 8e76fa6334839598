// A long look is cut into pieces, because SQLite is read on the one thread that a server has. Between two pieces
// the server does whatever else came in meanwhile, and callers take turns: nobody gets a second piece before
// everybody who waits has had one. So a caller that searches much makes its own searches slow, and not the rest.

import type { Context } from './operation.ts'
import type { QuotaHolder } from './quota.ts'

/**
 * How often the event loop comes round before each piece. A call needs some rounds from its first byte to its
 * answer, and should meet one piece on its way, not one in each round. A round with nothing to do costs next to
 * nothing.
 */
export const FREE_ROUNDS = 8

/** The looks that wait for a piece, by caller; the first caller is next. */
const waiting = new Map<string, (() => void)[]>()

/** Resolves when this caller may read one more piece. Callers that no door knows count as one. */
export function nextPiece(holder: QuotaHolder | undefined): Promise<void> {
  const key = holder === undefined ? '' : keyOf(holder)
  if (waiting.size === 0) comeRound(FREE_ROUNDS)
  const { promise, resolve } = Promise.withResolvers<void>()
  const line = waiting.get(key)
  if (line === undefined) waiting.set(key, [resolve])
  else line.push(resolve)
  return promise
}

/** The caller of a look, and where it looks. */
export type Looker = Pick<Context, 'store' | 'caller'>

/**
 * Called before each piece of one look. The first piece is free, because most looks have no other; its caller does not
 * wait at all, so that what it asks for goes out together with what is asked beside it, on one connection.
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
