// Limits what one caller, and all of them together, may have of a server at once. A caller is one name in
// one store, by whichever door it comes, so that nobody takes the room of the others.

import { refuse } from '../../core/error.ts'
import type { Caller, Principal } from '../../core/principal.ts'
import type { Store } from '../../core/store.ts'

type Limit = {
  each: Record<Caller, number>
  all?: number
  /** The refusal of a caller that wants more, where "has so many open" will not do. */
  says?: (name: string, has: number) => string
}

const MEBIBYTE = 1024 * 1024
const each = (agent: number, person = agent, service = person) => {
  return { agent, person, service, system: service }
}
const tooManyCalls = () => 'you have too many calls open at once; wait for their answers'

/** An agent needs one of each, a person one for each page; behind a service there may be many of both. */
export const LIMITS = {
  /** Looks that run; the others wait in line. A look, and its answer, hold a few megabytes (core/page-bytes.ts). */
  looks: { each: each(4, 16) },
  /** Bytes of answers that were made and are not taken. */
  answers: {
    each: each(32 * MEBIBYTE, 128 * MEBIBYTE),
    says: (name, has) =>
      `${name} has ${Math.round(has / MEBIBYTE)} MB of answers that it does not read; read them, then try again`,
  },
  /** Bytes of requests that are being read: a caller may hold back the end of many. */
  bodies: {
    ...{ each: each(32 * MEBIBYTE), all: 128 * MEBIBYTE },
    says: () => 'too much is being sent at once; try again',
  },
  /** Each stream or wait costs a few kilobytes; more than these are no use of one machine. */
  streams: { each: each(64, 256, 1000), all: 4000 },
  waits: { each: each(64, 1000, 2000), all: 10_000 },
  downloads: { each: each(4, 16) },
  /** Calls of tools over HTTP, and by the one visitor over standard input. */
  tools: { each: each(1024), says: tooManyCalls },
  ownTools: { each: each(256), says: tooManyCalls },
  /** Streams that tell of mail. The protocol's package counts them. */
  notices: { each: each(64) },
} satisfies Record<string, Limit>

type QuotaName = keyof typeof LIMITS

export type QuotaHolder = { store: Pick<Store, 'place'>; principal: Principal }

const held = new Map<string, number>()
const lines = new Map<string, ((place: () => void) => void)[]>()

/**
 * Takes so much until the returned function gives it back. Without a holder only the common limit counts.
 */
export function take(what: QuotaName, holder: QuotaHolder | undefined, amount = 1): () => void {
  const giveBack = hold(what, holder, amount)
  const { all = Number.POSITIVE_INFINITY, each, says }: Limit = LIMITS[what]
  const { kind = 'system', name = '' } = holder?.principal ?? {}
  const has = holder === undefined ? 0 : heldAs(keyOf(what, holder))
  if (has <= each[kind] && heldAs(what) <= all) return giveBack
  giveBack()
  const usual =
    has > each[kind]
      ? `${name} has ${each[kind]} ${what} open; end some, then try again`
      : `${all} ${what} are open; try again later`
  throw refuse('busy', says?.(name, has) ?? usual)
}

/**
 * The same for something that exists already, such as an answer: it counts, and only the next is refused.
 */
export function hold(what: QuotaName, holder: QuotaHolder | undefined, amount: number): () => void {
  const keys = holder === undefined ? [what] : [what, keyOf(what, holder)]
  for (const key of keys) held.set(key, heldAs(key) + amount)
  let isHeld = true
  return () => {
    for (const key of isHeld ? keys : []) {
      const left = heldAs(key) - amount
      if (left === 0) held.delete(key)
      else held.set(key, left)
    }
    isHeld = false
  }
}

/** Refuses a caller that leaves its answers unread: not one byte more is made for it. */
export function mustTakeAnswers(holder: QuotaHolder): void {
  take('answers', holder)()
}

/** Runs the looks of one caller a few at a time, in the order they came. */
export async function runInTurn<T>(holder: QuotaHolder, look: () => Promise<T>): Promise<T> {
  const key = keyOf('looks', holder)
  const line = lines.get(key) ?? []
  lines.set(key, line)
  const isFree = heldAs(key) < LIMITS.looks.each[holder.principal.kind]
  const giveBack = isFree
    ? take('looks', holder)
    : await new Promise<() => void>((resolve) => line.push(resolve))
  try {
    mustTakeAnswers(holder)
    return await look()
  } finally {
    // The next in line gets the place itself: it is not free in between.
    const next = line.shift() ?? ((place) => place())
    next(giveBack)
    if (heldAs(key) === 0) lines.delete(key)
  }
}

function heldAs(key: string): number {
  return held.get(key) ?? 0
}

function keyOf(what: QuotaName, { store, principal }: QuotaHolder): string {
  return JSON.stringify([what, store.place, principal.kind, principal.name])
}
