// What callers have open: waits and streams. Each may have so many, that one cannot take the places of all;
// and what was opened by a token ends with it.

import type { Principal } from '../../core/principal.ts'
import { mustStillBeGood } from '../../ops/identify.ts'
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

export type Good = {
  /** Aborted when the caller's token is revoked or expires. */
  signal: AbortSignal
  /** For what nobody asks about again: a token may end after it was looked at, and before it was held. */
  recheck: () => Promise<void>
  /** Lets go of it. */
  end: () => void
}

export async function whileGood({ tail, house }: Served, principal: Principal): Promise<Good> {
  const controller = new AbortController()
  const abort = () => controller.abort()
  const end = await tail.whileGood(principal, abort)
  const recheck = () =>
    mustStillBeGood(house.store, principal, Number.POSITIVE_INFINITY).catch(abort)
  return { signal: controller.signal, recheck, end }
}
