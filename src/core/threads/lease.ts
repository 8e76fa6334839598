// A lease is the right to work on one thread until a moment in time.
//
// (1) A lease is live if it wasn't released and `now` is before expires_at. A thread has at most one live lease.
// (2) A lease lapses at expires_at without any event. A lapsed lease doesn't count: its holder can no longer write,
//     whether or not another agent has claimed the thread.
// (3) `generation` increases by one with every change of holder, including by the sweep, and never decreases. A token
//     belongs to one generation: every claim makes a new one.
// (4) Only the holder can write under a lease: by its token, or by its name if it gives no token.
// (5) done, fail and cancel end the lease in the same transaction as the status.
// (6) `now` is read after the thread is locked, from the store's clock, so no other holder can get in between the check
//     here and the write that follows. It is never the log's time, which may be ahead.
//
// Life: claim -> renew* -> done | fail | cancel, or time passes: claim by another | sweep.

import { operation, Refusal, refuse, sentence } from '../error.ts'
import type { Instant } from '../time.ts'
import type { Thread } from './thread.ts'

export type Lease = {
  thread_id: string
  agent_id: string
  lease_token: string
  generation: number
  lease_seconds: number
  claimed_at: Instant
  expires_at: Instant
  released_at: Instant | null
}

/** 15 minutes: long enough for a model that calls tools and never renews. */
export const DEFAULT_LEASE_SECONDS = 900
/** A week, because no one can free a thread whose lease is too long. */
export const MAX_LEASE_SECONDS = 604_800

export function isLive(lease: Lease | null, now: Instant): lease is Lease {
  return lease !== null && lease.released_at === null && now < lease.expires_at
}

export function hasLapsed(lease: Lease | null, now: Instant): lease is Lease {
  return lease !== null && lease.released_at === null && now >= lease.expires_at
}

export type Holder = {
  agent: string
  token: string | undefined
  /** Whether this agent ever claimed this thread, to tell "lost it" from "never had it". */
  everHeld: boolean
}

/** Guards every write under a lease, by (2), (3) and (4). Throws a refusal that names the holder. */
export function mustHold(
  thread: Thread,
  lease: Lease | null,
  who: Holder,
  now: Instant,
  verb: string,
): Lease {
  if (isLive(lease, now)) {
    const holds =
      who.token === undefined ? lease.agent_id === who.agent : lease.lease_token === who.token
    if (holds) return lease
    const also = who.token === undefined ? '' : ', and the given lease token is not the current one'
    const { agent_id: held_by, expires_at } = lease
    throw refuse.lease_conflict`cannot ${verb} thread ${{ thread_id: thread.thread_id }}: ${{ held_by }} holds it until ${{ expires_at }}${also}`
  }
  if (who.everHeld || who.token !== undefined) {
    throw new Refusal(
      'lease_conflict',
      sentence`cannot ${verb} thread ${thread.thread_id}: the lease of ${who.agent} has ended and no one holds the thread now; claim it again with ${operation('claim', { thread: thread.thread_id })}`,
      { thread_id: thread.thread_id, held_by: null },
    )
  }
  throw new Refusal(
    'invalid_state',
    sentence`cannot ${verb} thread ${thread.thread_id}: ${who.agent} does not hold it; claim it first with ${operation('claim', { thread: thread.thread_id })}`,
    { thread_id: thread.thread_id, held_by: null },
  )
}

/** Refuses a claim while the lease is live; otherwise anyone may claim. */
export function mustBeFree(
  thread: Thread,
  lease: Lease | null,
  now: Instant,
  agent?: string,
): void {
  if (!isLive(lease, now)) return
  const { agent_id: held_by, expires_at } = lease
  const itself = held_by === agent ? ' itself' : ''
  throw refuse.lease_conflict`thread ${{ thread_id: thread.thread_id }} is held by ${{ held_by }}${itself} until ${{ expires_at }}`
}
