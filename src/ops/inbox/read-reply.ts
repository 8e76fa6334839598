// Marks a reply that a wait has handed over.

import { isOverdue } from '../../core/inbox/delivery.ts'
import { lockThread } from '../kit/commit.ts'
import type { Context } from '../kit/operation.ts'
import { recordRead } from './read-mark.ts'

/** Marks this one message; the read mark follows when nothing else is left to read. */
export async function readReply(
  { store, door }: Context,
  threadId: string,
  agent: string,
  messageId: string,
): Promise<void> {
  await store.write(async (tx) => {
    // Both are sent together and answered in this order, so the unread messages are read under the lock.
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
