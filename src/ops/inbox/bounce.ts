// Bounces mail that cannot be delivered: the delivery ends, and its sender is told why.

import type { InboxHead } from '../../core/inbox/inbox-reads.ts'
import { KINDS } from '../../core/kinds.ts'
import { step } from '../../core/mail/mail.ts'
import type { Tx } from '../../core/store.ts'
import type { ThreadState } from '../../core/threads/evolve.ts'
import type { Instant } from '../../core/time.ts'
import type { Context } from '../kit/operation.ts'
import { tellSenders } from './tell-senders.ts'

export type BounceOptions = {
  recipient: string
  reason: string
  now: Instant
  /** For a transaction that bounces the mail of several agents: the threads as it has left them so far. */
  states?: Map<string, ThreadState>
}

/** How many are bounced at a time, so that other writers need not wait long. */
export const BOUNCE_AT_ONCE = 300

/** How many deliveries bounced, and the one after which there may be more; null when there are none. */
type BounceCount = { bounced: number; after: number | null }

/** Bounces the first few hundred unread deliveries after this one. */
export async function bounce(
  context: Context,
  tx: Tx,
  want: BounceOptions,
  start: number = 0,
): Promise<BounceCount> {
  const { recipient } = want
  for (let after = start; ; ) {
    const unread = await tx.heads({ recipient, after, limit: BOUNCE_AT_ONCE })
    const bounced = await bounceThese(context, tx, want, unread)
    const last = unread.at(-1)
    if (last === undefined || unread.length < BOUNCE_AT_ONCE) return { bounced, after: null }
    after = last.event_id
    // If none of them bounces, the next few hundred are looked at.
    if (bounced > 0) return { bounced, after }
  }
}

/** Bounces the rest, a few hundred at a time. If this is cut short, a sweep goes on. */
export async function bounceRest(
  context: Context,
  recipient: string,
  reason = `${recipient} is off`,
): Promise<number> {
  let total = 0
  for (let start: number | null = 0; start !== null; ) {
    const from: number = start
    const { value } = await context.store.write(async (tx) => {
      await tx.lockRecords()
      const [now, agent] = await Promise.all([tx.now(), tx.agent(recipient)])
      // The agent was turned on again meanwhile, so it keeps its unread mail.
      if (agent?.declared_status !== 'off') return { bounced: 0, after: null }
      return bounce(context, tx, { recipient, reason, now }, from)
    })
    total += value.bounced
    start = value.after
  }
  return total
}

export async function bounceThese(
  context: Context,
  tx: Tx,
  { recipient, reason, now, states }: BounceOptions,
  unread: readonly InboxHead[],
): Promise<number> {
  const threads = Map.groupBy(unread, ({ thread_id }) => thread_id)
  const ids = [...threads.keys()]
  if (ids.length === 0) return 0
  // Both are sent together and answered in this order, so the unread mail is read under the locks.
  const [locks, left] = await Promise.all([tx.lockAll(ids), tx.unreadIn(recipient, ids)])
  const still = new Set(left.map(({ message_id }) => message_id))
  let bounced = 0
  for (const locked of locks) {
    const { thread_id, kind } = locked.state.thread
    if (!KINDS[kind].bounces) continue
    const items = (threads.get(thread_id) ?? []).filter(({ message_id }) => still.has(message_id))
    if (items.length === 0) continue
    const messages = items.map(({ message_id }) => message_id)
    const state = states?.get(thread_id) ?? locked.state
    const move = { type: 'delivery_bounce', reason } as const
    const event = step(state.thread, move, { recipient, messages }, now)
    const ending = { end: 'bounced', reason, now } as const
    const after = await tellSenders(context, tx, tx.record(state, event), items, ending)
    states?.set(thread_id, after)
    bounced += items.length
  }
  return bounced
}
