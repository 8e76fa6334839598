// An agent that claims a thread from others takes over the messages that they had not been shown.

import type { Delivery } from '../../core/inbox/delivery.ts'
import { take } from '../../core/mail/mail.ts'
import type { LockedThread, Tx } from '../../core/store.ts'

/**
 * Messages to the former holders that nobody was shown are now for the claimer, unless it knows them.
 */
export async function takeOver(
  tx: Tx,
  { state, now }: LockedThread,
  there: Delivery[],
  { agent, instead_of, handed }: { agent: string; instead_of: string[]; handed: string[] },
): Promise<void> {
  const { thread } = state
  const before = [thread.assigned_to, ...instead_of].filter((one) => one !== thread.created_by)
  const known = new Set([...handed, ...there.filter(isTo([agent])).map((one) => one.message_id)])
  const waiting = there
    .filter(isTo(before))
    .filter((one) => one.state === 'queued' && !known.has(one.message_id))
  if (waiting.length === 0) return
  const [mark, messages] = await Promise.all([
    tx.readMark(thread.thread_id, agent),
    Promise.all(waiting.map(({ message_id }) => tx.message(message_id))),
  ])
  const own = new Set(messages.filter((one) => one?.from_agent === agent).map((one) => one?.seq))
  for (const { message_id, seq, kind, expires_at, recipient: from } of waiting) {
    if (seq <= (mark?.last_read_seq ?? 0) || own.has(seq) || known.has(message_id)) continue
    known.add(message_id)
    const taken = [{ message_id, seq, kind, expires_at }]
    tx.record(state, take(thread, { recipient: agent, from, taken }, now))
  }
}

function isTo(names: string[]) {
  return ({ recipient }: Delivery) => names.includes(recipient)
}
