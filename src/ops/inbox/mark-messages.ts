// Marks messages as read, in threads of every kind. A message read after its sender's deadline expires instead.

import { type Evidence, isOverdue, TOO_LATE } from '../../core/inbox/delivery.ts'
import type { InboxPlace } from '../../core/inbox/inbox-reads.ts'
import { step } from '../../core/mail/mail.ts'
import type { LockedThread, Tx } from '../../core/store.ts'
import { markRead } from '../../core/threads/commands.ts'
import { lockThread } from '../kit/commit.ts'
import type { Context } from '../kit/operation.ts'
import { tellOfExpiry } from './tell-senders.ts'

export type MessagePlace = Pick<InboxPlace, 'thread_id' | 'message_id'>

export async function markMessages(
  context: Context,
  tx: Tx,
  agent: string,
  wanted: readonly MessagePlace[],
  by: Evidence = 'mark',
): Promise<MessagePlace[]> {
  const threads = [...new Set(wanted.map(({ thread_id }) => thread_id))]
  if (threads.length === 0) return []
  // Both queries are sent together and executed in this order, so the unread messages are read under the locks.
  const [locks, places] = await Promise.all([tx.lockAll(threads), tx.unreadIn(agent, threads)])
  const left = Map.groupBy(places, ({ thread_id }) => thread_id)
  const named = new Set(wanted.map(({ message_id }) => message_id))
  const marking = locks.map((lock) => {
    const places = left.get(lock.state.thread.thread_id) ?? []
    const [late, unread] = [true, false].map((isLate) =>
      places.filter((one) => isOverdue(one, lock.now) === isLate).map((one) => one.message_id),
    ) as [string[], string[]]
    const ids = unread.filter((id) => named.has(id))
    return { ...lock, agent, by, ids, late, isWhole: ids.length === unread.length }
  })
  await Promise.all(marking.map((one) => mark(context, tx, one)))
  return marking.flatMap(({ ids, state: { thread } }) =>
    ids.map((message_id) => ({ thread_id: thread.thread_id, message_id })),
  )
}

type MarkStep = LockedThread & {
  agent: string
  by: Evidence
  ids: string[]
  late: string[]
  isWhole: boolean
}

async function mark(context: Context, tx: Tx, marking: MarkStep): Promise<void> {
  const { state, now, agent, late } = marking
  const which = { recipient: agent, messages: late }
  if (late.length === 0) return markUnread(tx, marking)
  // These were read too late, so they expire.
  tx.record(state, step(state.thread, { type: 'delivery_expire', reason: TOO_LATE }, which, now))
  await markUnread(tx, marking)
  // Add the note last: it isn't meant for this reader, so the reader's mark has to come before it.
  const over = late.map((message_id) => ({ message_id, recipient: agent }))
  await tellOfExpiry(context, tx, state, over, now)
}

function markUnread(tx: Tx, marking: MarkStep): Promise<void> {
  const { agent: recipient, ids: messages, by, isWhole } = marking
  return recordRead(tx, marking, { recipient, messages, by, isWhole })
}

/** Runs under the thread's lock. `isWhole` means that `messages` are all of the thread's unread messages. */
async function recordRead(
  tx: Tx,
  { state, now }: LockedThread,
  read: { recipient: string; messages: string[]; by: Evidence; isWhole: boolean },
): Promise<void> {
  const { thread } = state
  const { recipient: agent, messages, by, isWhole } = read
  if (messages.length === 0) return
  const which = { recipient: agent, messages }
  tx.record(state, step(thread, { type: 'delivery_read', by }, which, now))
  if (!isWhole) return
  const have = await tx.readMark(thread.thread_id, agent)
  const { latest_message_id: message_id, message_count: seq } = thread
  if ((have?.last_read_seq ?? 0) < seq) {
    tx.record(state, markRead(state, { agent, message_id, seq }, now))
  }
}

/** Marks this message as read, and sets the read mark if no other message is unread. */
export async function readReply(
  { store, door }: Context,
  threadId: string,
  agent: string,
  messageId: string,
): Promise<void> {
  await store.write(async (tx) => {
    // Both queries are sent together and executed in this order, so the unread messages are read under the lock.
    const [{ state, now }, unread] = await Promise.all([
      lockThread(tx, threadId),
      tx.unreadIn(agent, [threadId]),
    ])
    const own = unread.find(({ message_id }) => message_id === messageId)
    if (own === undefined || isOverdue(own, now)) return {}
    const which = { recipient: agent, messages: [messageId] }
    await recordRead(tx, { state, now }, { ...which, by: door, isWhole: unread.length === 1 })
    return {}
  })
}
