// When a message ends unread, its sender gets a note with the reason. Senders that are off or unknown get none, and
// neither does the store itself, so notes cause no further notes.

import { isPerson, statusOf } from '../../core/agents/agent.ts'
import { SYSTEM } from '../../core/event.ts'
import { TOO_LATE } from '../../core/inbox/delivery.ts'
import type { InboxHead } from '../../core/inbox/inbox-reads.ts'
import { KINDS } from '../../core/kinds.ts'
import { type PostWish, post, postIn, step } from '../../core/mail/mail.ts'
import type { Tx } from '../../core/store.ts'
import type { ThreadState } from '../../core/threads/evolve.ts'
import type { Message } from '../../core/threads/message.ts'
import { isFinished } from '../../core/threads/thread.ts'
import type { Instant } from '../../core/time.ts'
import { tellUnreached } from '../../core/workflows/channel.ts'
import { stamp } from '../kit/commit.ts'
import type { Context } from '../kit/operation.ts'

type EndedMessage = Pick<Message, 'message_id' | 'from_agent' | 'summary' | 'hops'> & {
  recipient: string
}
type MessageEnd = { end: 'bounced' | 'expired'; reason: string; now: Instant }

/** Sends each sender in the thread one note, no matter how many of its messages ended unread. */
async function tellSenders(
  context: Context,
  tx: Tx,
  before: ThreadState,
  ended: readonly EndedMessage[],
  ending: MessageEnd,
): Promise<ThreadState> {
  if (KINDS[before.thread.kind].tellsAll) return tellAll(context, tx, before, ended, ending)
  let state = before
  const { now } = ending
  for (const [sender, all] of Map.groupBy(ended, ({ from_agent }) => from_agent)) {
    const own = all.filter(({ recipient }) => recipient !== sender)
    const last = own.at(-1)
    if (last === undefined || !(await canHear(tx, sender, now))) continue
    const posting: PostWish = {
      from: SYSTEM,
      address: sender,
      recipients: [sender],
      kind: 'progress',
      words: {
        ...wordsOf(own, ending),
        in_reply_to: last.message_id,
        hops: last.hops,
      },
      expires_at: null,
    }
    const at = stamp(context, now)
    if (KINDS[state.thread.kind].letters?.fromSystem) {
      state = tx.record(state, postIn(state, posting, at))
    } else tx.record(null, post({ ...posting, thread_id: context.makeId('thread') }, at))
  }
  return state
}

/** Posts the notes in the thread, one per sender, as long as the thread still accepts messages. */
async function tellAll(
  context: Context,
  tx: Tx,
  before: ThreadState,
  ended: readonly EndedMessage[],
  { reason, now }: MessageEnd,
): Promise<ThreadState> {
  if (isFinished(before.thread)) return before
  let state = before
  for (const [from, own] of Map.groupBy(ended, ({ from_agent }) => from_agent)) {
    const { message_id: reply_to, hops } = own.at(-1) as EndedMessage
    const recipients = [...new Set(own.map(({ recipient }) => recipient))]
    const sender = (await canHear(tx, from, now)) ? from : null
    const told = { sender, recipients, messages: own.length, reason, reply_to, hops }
    state = tx.record(state, tellUnreached(state, told, stamp(context, now)))
  }
  return state
}

/** Reads the expired messages and sends the notes about them. */
export async function tellOfExpiry(
  context: Context,
  tx: Tx,
  state: ThreadState,
  over: readonly { message_id: string; recipient: string }[],
  now: Instant,
): Promise<ThreadState> {
  const ids = [...new Set(over.map(({ message_id }) => message_id))]
  const found = await Promise.all(ids.map((id) => tx.message(id)))
  const messages = new Map(found.map((message) => [message?.message_id, message]))
  const ended = over.flatMap(({ message_id, recipient }) => {
    const message = messages.get(message_id)
    return message ? [{ ...message, recipient }] : []
  })
  return tellSenders(context, tx, state, ended, { end: 'expired', reason: TOO_LATE, now })
}

function wordsOf(own: readonly EndedMessage[], { end, reason }: MessageEnd) {
  const messages = [...new Set(own.map(({ message_id }) => message_id))]
  const recipients = [...new Set(own.map(({ recipient }) => recipient))]
  const last = own.at(-1) as EndedMessage
  const whom = manyOf(recipients)
  const what = `${last.message_id}${messages.length === 1 ? '' : ` and ${messages.length - 1} more`}`
  const data = recipients.length === 1 ? { recipient: whom } : { recipients }
  return {
    summary:
      end === 'bounced' ? `Not delivered to ${whom}: ${reason}` : `Expired, unread by ${whom}`,
    body:
      end === 'bounced'
        ? `${what} could not be delivered to ${whom}: ${reason}. It was: ${last.summary}`
        : `${what} to ${whom} has expired: ${reason}. It was: ${last.summary}`,
    payload_json: JSON.stringify({ [end]: messages, ...data, reason }),
  }
}

function manyOf(names: readonly string[]): string {
  const more = names.length - 3
  return more > 0 ? `${names.slice(0, 3).join(', ')} and ${more} more` : names.join(', ')
}

async function canHear(tx: Tx, sender: string, now: Instant): Promise<boolean> {
  if (sender === SYSTEM) return false
  if (isPerson(sender)) return true
  const agent = await tx.agent(sender)
  return agent !== null && statusOf(agent, now) !== 'off'
}

export type BounceOptions = {
  recipient: string
  reason: string
  now: Instant
  /** The threads' current states, for a transaction that bounces the mail of several agents. */
  states?: Map<string, ThreadState>
}

/** How many messages are bounced at a time, so that other writers don't wait long. */
export const BOUNCE_AT_ONCE = 300

/** How many deliveries bounced, and the event id to continue after (null if there are no more). */
type BounceCount = { bounced: number; after: number | null }

/** Bounces the first few hundred unread deliveries after `start`. */
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
    // If none of them bounces, look at the next few hundred.
    if (bounced > 0) return { bounced, after }
  }
}

/** Bounces all remaining unread mail, a few hundred messages at a time. If interrupted, a sweep continues. */
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
      // The agent has been turned on again, so it keeps its unread mail.
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
  // Both queries are sent together and executed in this order, so the unread mail is read under the locks.
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
