// How far somebody has read a thread. The mark stands for everything before it, so it moves only where
// nothing of that is left to read.

import type { Evidence } from '../../core/inbox/delivery.ts'
import { step } from '../../core/mail/mail.ts'
import type { LockedThread, Tx } from '../../core/store.ts'
import { markRead } from '../../core/threads/commands.ts'

/** Runs under the thread's lock. `isWhole` says that these are all the unread messages there. */
export async function recordRead(
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
