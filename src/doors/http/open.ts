// The waits and streams that callers have open. Each caller may have only so many, so that nobody takes the
// places of all; and those that were opened with a token end with it.

import type { Principal } from '../../core/principal.ts'
import { decline } from './answer.ts'
import type { ServedStore } from './site.ts'

/** An agent needs one of each, a person one for each page; behind a service there may be many of both. */
const MOST = {
  streams: { agent: 64, person: 256, service: 1000, system: 1000 },
  downloads: { agent: 4, person: 16, service: 16, system: 16 },
  waits: { agent: 64, person: 1000, service: 2000, system: 2000 },
} as const

const places = new Map<string, number>()

/** Takes one of the caller's places, until the returned function gives it back. */
export function takePlace(
  what: keyof typeof MOST,
  { id }: ServedStore,
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

/** Aborted when the caller's token is revoked or expires. `end` lets go of it. */
export async function whileGood(
  { tail }: ServedStore,
  principal: Principal,
): Promise<{ signal: AbortSignal; end: () => void }> {
  const controller = new AbortController()
  const end = await tail.whileGood(principal, () => controller.abort())
  return { signal: controller.signal, end }
}
