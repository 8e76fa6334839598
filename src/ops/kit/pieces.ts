// A long look is cut into pieces, because SQLite is read on the one thread that a server has. Between two pieces
// the server does whatever else came in meanwhile, and callers take turns: nobody gets a second piece before
// everybody who waits has had one. So a caller that searches much makes its own searches slow, and not the rest.

import type { QuotaHolder } from './quota.ts'

/** The looks that wait for a piece, by caller; the first caller is next. */
const waiting = new Map<string, (() => void)[]>()

/** Resolves when this caller may read one more piece. Callers that no door knows count as one. */
export function nextPiece(holder: QuotaHolder | undefined): Promise<void> {
  const key = holder === undefined ? '' : keyOf(holder)
  if (waiting.size === 0) setImmediate(giveTurn)
  const { promise, resolve } = Promise.withResolvers<void>()
  const line = waiting.get(key)
  if (line === undefined) waiting.set(key, [resolve])
  else line.push(resolve)
  return promise
}

function giveTurn(): void {
  for (const [key, line] of waiting) {
    waiting.delete(key)
    const begin = line.shift()
    if (line.length > 0) waiting.set(key, line)
    if (waiting.size > 0) setImmediate(giveTurn)
    begin?.()
    return
  }
}

function keyOf({ store, principal }: QuotaHolder): string {
  return JSON.stringify([store.place, principal.kind, principal.name])
}
