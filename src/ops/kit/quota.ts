// Limits what one caller, and all callers together, may use of a server at the same time. A caller is one name in one
// store, across all doors, so that no one can crowd out the others.

import { Refusal } from '../../core/error.ts'
import type { Caller, Principal } from '../../core/principal.ts'
import type { Store } from '../../core/store.ts'

type Limit = {
  each: Record<Caller, number>
  all?: number
  /** The refusal for a caller over its limit, if "has so many open" isn't the right wording. */
  says?: (name: string, has: number) => string
}

const MEBIBYTE = 1024 * 1024
const each = (agent: number, person = agent, service = person) => {
  return { agent, person, service, system: service }
}
const tooManyCalls = () => 'you have too many calls open at once; wait for their answers'

/** An agent needs one of each, and a person one per page. A service may have many clients of both kinds. */
export const LIMITS = {
  /** How many reads run at a time; others queue. Each takes a few megabytes with its answer (core/page-bytes.ts). */
  looks: { each: each(4, 16) },
  /** Bytes of answers that have been made but not yet read by the client. */
  answers: {
    each: each(32 * MEBIBYTE, 128 * MEBIBYTE),
    says: (name, has) =>
      `${name} has ${Math.round(has / MEBIBYTE)} MB of answers that it does not read; read them, then try again`,
  },
  /** Bytes of request bodies being read. A caller could open many and never finish them. */
  bodies: {
    each: each(32 * MEBIBYTE),
    all: 128 * MEBIBYTE,
    says: () => 'too much is being sent at once; try again',
  },
  /** Each stream or wait costs a few kilobytes. These limits are more than anyone needs on one machine. */
  streams: { each: each(64, 256, 1000), all: 4000 },
  waits: { each: each(64, 1000, 2000), all: 10_000 },
  downloads: { each: each(4, 16) },
  /** Tool calls over HTTP, and by the single client on standard input. */
  tools: { each: each(1024), says: tooManyCalls },
  ownTools: { each: each(256), says: tooManyCalls },
  /** Streams that announce mail. The MCP package counts them. */
  notices: { each: each(64) },
} satisfies Record<string, Limit>

type QuotaName = keyof typeof LIMITS

export type QuotaHolder = { store: Pick<Store, 'place'>; principal: Principal }

const held = new Map<string, number>()
const lines = new Map<string, ((place: () => void) => void)[]>()

/** Takes the amount until the returned function gives it back. Without a holder, only the shared limit applies. */
export function takeQuota(
  what: QuotaName,
  holder: QuotaHolder | undefined,
  amount = 1,
): () => void {
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
  throw new Refusal('busy', says?.(name, has) ?? usual)
}

/** Takes an amount for something that exists, such as an answer. If it's over the limit, only the next is refused. */
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

/** Refuses a caller that doesn't read its answers, so that no more are made for it. */
export function mustTakeAnswers(holder: QuotaHolder): void {
  takeQuota('answers', holder)()
}

/** Runs one caller's reads a few at a time, in order of arrival. */
export async function runInTurn<T>(holder: QuotaHolder, look: () => Promise<T>): Promise<T> {
  const key = keyOf('looks', holder)
  const line = lines.get(key) ?? []
  lines.set(key, line)
  const isFree = heldAs(key) < LIMITS.looks.each[holder.principal.kind]
  const giveBack = isFree
    ? takeQuota('looks', holder)
    : await new Promise<() => void>((resolve) => line.push(resolve))
  try {
    mustTakeAnswers(holder)
    return await look()
  } finally {
    // Hand the place directly to the next in line; it's never free in between.
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
