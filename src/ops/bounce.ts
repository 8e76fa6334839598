// What cannot be delivered comes back: the delivery ends, and who sent it is told why.

import { isUnread } from '../core/delivery.ts'
import type { ThreadState } from '../core/evolve.ts'
import { step } from '../core/mail.ts'
import type { Tx } from '../core/store.ts'
import type { Instant } from '../core/time.ts'
import type { Context } from './operation.ts'
import { tellSenders } from './tell-senders.ts'

export type Bouncing = {
  recipient: string
  reason: string
  now: Instant
  /** Where one transaction bounces the mail of several: the threads as it has left them so far. */
  states?: Map<string, ThreadState>
}

/** More than any inbox should hold; what is beyond stays queued and is not lost. */
const MOST = 10_000

/** Bounces all that a recipient has not read. Returns how many deliveries that were. */
export async function bounce(context: Context, tx: Tx, want: Bouncing): Promise<number> {
  const { recipient, reason, states } = want
  const unread = await tx.inbox({ recipient, unreadOnly: true, after: 0, limit: MOST })
  const threads = Map.groupBy(unread, ({ thread_id }) => thread_id)
  let bounced = 0
  // In one order everywhere: two who lock the same threads must not wait for each other.
  for (const threadId of [...threads.keys()].sort()) {
    const locked = await tx.lock(threadId)
    // What a person said to a push is kept for its agent, and that was told where it was said.
    if (locked === null || locked.state.thread.kind === 'push') continue
    // As it is under the lock: some of it may have been read meanwhile.
    const still = new Set(
      (await tx.deliveriesOf({ thread_id: threadId }))
        .filter(({ recipient: to, state }) => to === recipient && isUnread(state))
        .map(({ message_id }) => message_id),
    )
    const items = (threads.get(threadId) ?? []).filter(({ message_id }) => still.has(message_id))
    if (items.length === 0) continue
    const messages = items.map(({ message_id }) => message_id)
    const state = states?.get(threadId) ?? locked.state
    const event = step(
      state.thread,
      { type: 'delivery_bounce', reason },
      { recipient, messages },
      want.now,
    )
    const { now } = want
    const ending = { end: 'bounced', reason, now } as const
    const after = await tellSenders(context, tx, tx.record(state, event), items, ending)
    states?.set(threadId, after)
    bounced += items.length
  }
  return bounced
}
