// What one caller may take of a server at once, by whichever door: so many looks at a time, the others in line;
// and no more answers that it does not take than there is room for. Only what has not begun is refused: an
// answer that was made counts as shown.

import { refuse } from '../../core/error.ts'
import type { Principal } from '../../core/principal.ts'
import type { Store } from '../../core/store.ts'

const MEBIBYTE = 1024 * 1024

/** A look holds a few megabytes at most (core/page-bytes.ts), and so does its answer. */
const MOST = {
  agent: { looks: 4, bytes: 32 * MEBIBYTE },
  person: { looks: 16, bytes: 128 * MEBIBYTE },
  service: { looks: 16, bytes: 128 * MEBIBYTE },
  system: { looks: 16, bytes: 128 * MEBIBYTE },
} as const

type Share = { looks: number; line: (() => void)[]; held: number }

const shares = new WeakMap<Store, Map<string, Share>>()

export type Sharer = { store: Store; principal: Principal }

/** Looks of one caller, a few at a time, in the order they were asked for. */
export async function inTurn<T>(sharer: Sharer, work: () => Promise<T>): Promise<T> {
  const { share, letGo } = shareOf(sharer)
  if (share.looks < MOST[sharer.principal.kind].looks) share.looks += 1
  else await new Promise<void>((resolve) => share.line.push(resolve))
  try {
    mustHaveRoom(sharer)
    return await work()
  } finally {
    // Who is next has the place, and it is not free in between.
    const next = share.line.shift()
    if (next === undefined) share.looks -= 1
    else next()
    letGo()
  }
}

export function mustHaveRoom(sharer: Sharer): void {
  const { kind, name } = sharer.principal
  const { share, letGo } = shareOf(sharer)
  letGo()
  if (share.held < MOST[kind].bytes) return
  throw refuse(
    'busy',
    `${name} has ${Math.round(share.held / MEBIBYTE)} MB of answers that it does not read; read them, then try again`,
  )
}

/** Counts an answer until the returned function says that it was taken, or never will be. */
export function hold(sharer: Sharer, bytes: number): () => void {
  const { share, letGo } = shareOf(sharer)
  share.held += bytes
  let isHeld = true
  return () => {
    if (!isHeld) return
    isHeld = false
    share.held -= bytes
    letGo()
  }
}

function shareOf({ store, principal: { kind, name } }: Sharer) {
  const known = shares.get(store) ?? new Map<string, Share>()
  shares.set(store, known)
  const key = `${kind} ${name}`
  const share = known.get(key) ?? { looks: 0, line: [], held: 0 }
  known.set(key, share)
  const letGo = () => {
    if (share.looks === 0 && share.held === 0) known.delete(key)
  }
  return { share, letGo }
}
