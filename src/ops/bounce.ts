// What cannot be delivered comes back: the delivery ends, and who sent it is told why.

import { isPerson, statusOf } from '../core/agent.ts'
import { isUnread } from '../core/delivery.ts'
import { SYSTEM } from '../core/event.ts'
import type { ThreadState } from '../core/evolve.ts'
import { type Posting, post, postIn, step } from '../core/mail.ts'
import type { InboxItem, Tx } from '../core/store.ts'
import type { Instant } from '../core/time.ts'
import { type Context, moment } from './operation.ts'

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
    if (locked === null) continue
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
    const after = await tellSenders(context, tx, tx.record(state, event), items, want)
    states?.set(threadId, after)
    bounced += items.length
  }
  return bounced
}

/** One note to each sender in the thread, however many of its messages came back. */
async function tellSenders(
  context: Context,
  tx: Tx,
  before: ThreadState,
  items: InboxItem[],
  { recipient, reason, now }: Bouncing,
): Promise<ThreadState> {
  let state = before
  for (const [sender, own] of Map.groupBy(items, ({ from_agent }) => from_agent)) {
    if (sender === recipient || !(await canHear(tx, sender, now))) continue
    const last = own.at(-1) as InboxItem
    const many = own.length === 1 ? '' : ` and ${own.length - 1} more`
    const posting: Posting = {
      from: SYSTEM,
      address: sender,
      recipients: [sender],
      kind: 'progress',
      words: {
        summary: `Not delivered to ${recipient}: ${reason}`,
        body: `${last.message_id}${many} could not be delivered to ${recipient}: ${reason}. It was: ${last.summary}`,
        payload_json: JSON.stringify({
          bounced: own.map(({ message_id }) => message_id),
          recipient,
          reason,
        }),
        artifacts: [],
        in_reply_to: last.message_id,
        hops: last.hops,
      },
      expires_at: null,
    }
    const at = moment(context, now)
    // Work is not spoken into by the store itself: its note is mail of its own.
    if (state.thread.kind === 'mail') state = tx.record(state, postIn(state, posting, at))
    else tx.record(null, post({ ...posting, thread_id: context.makeId('thread') }, at))
  }
  return state
}

async function canHear(tx: Tx, sender: string, now: Instant): Promise<boolean> {
  if (sender === SYSTEM) return false
  if (isPerson(sender)) return true
  const agent = await tx.agent(sender)
  return agent !== null && statusOf(agent, now) !== 'off'
}
