// What callers have open: waits and streams. Each may have so many, that one cannot take the places of all;
// and what was opened by a token ends with it.

import type { Principal } from '../../core/principal.ts'
import { decline } from './answer.ts'
import type { Served } from './site.ts'

const MOST = {
  streams: { agent: 64, person: 1000, service: 1000, system: 1000 },
  waits: { agent: 128, person: 1000, service: 2000, system: 2000 },
} as const

const places = new Map<string, number>()

/** Takes one of the caller's places, until the returned function gives it back. */
export function takePlace(
  what: keyof typeof MOST,
  { id }: Served,
  { kind, name }: Principal,
): () => void {
  const key = JSON.stringify([what, id, kind, name])
  const taken = places.get(key) ?? 0
  const most = MOST[what][kind]
  if (taken >= most) {
    throw decline(503, `${name} has ${most} ${what} open; end some, then try again`)
  }
  places.set(key, taken + 1)
  let isGiven = false
  return () => {
    if (isGiven) return
    isGiven = true
    const left = (places.get(key) ?? 1) - 1
    if (left === 0) places.delete(key)
    else places.set(key, left)
  }
}

type Opened = Map<string, Set<AbortController>>
const opened = new WeakMap<Served, Promise<Opened>>()

/** Aborted when the caller's token is revoked. `end` lets go of it. */
export async function whileGood(
  served: Served,
  { token_id }: Principal,
): Promise<{ signal: AbortSignal; end: () => void }> {
  const controller = new AbortController()
  const { signal } = controller
  if (token_id === undefined) return { signal, end: () => {} }
  const byToken = await openedIn(served)
  const own = byToken.get(token_id) ?? new Set()
  byToken.set(token_id, own)
  own.add(controller)
  const end = () => {
    own.delete(controller)
    if (own.size === 0 && byToken.get(token_id) === own) byToken.delete(token_id)
  }
  return { signal, end }
}

/** From the first who opens something by a token, the log is asked for tokens that are revoked. */
function openedIn(served: Served): Promise<Opened> {
  const known = opened.get(served) ?? listenIn(served)
  opened.set(served, known)
  // Away: whoever comes next tries again.
  known.catch(() => opened.delete(served))
  return known
}

async function listenIn({ tail }: Served): Promise<Opened> {
  const byToken: Opened = new Map()
  await tail.listen(
    { filter: { types: [] } },
    {
      take() {},
      reset() {},
      reached() {},
      async ready() {},
      revoked(tokenId) {
        for (const controller of byToken.get(tokenId) ?? []) controller.abort()
      },
    },
  )
  return byToken
}
