// Decides which mail may be pruned, and in which order. Only whole threads are pruned, and only if every message in
// them has been read. So unread mail can exceed every limit, and prune says so.

import type { Instant } from '../time.ts'

export type OldMail = {
  thread_id: string
  message_count: number
  updated_at: Instant
  /** When the last of its messages was read, answered or bounced. */
  handled_at: Instant
}

export type MailLimits = {
  /** Threads that have been quiet since before this are pruned. */
  before: Instant
  messages: number
  /** If there are more than `messages` messages, threads handled before this are pruned first. */
  handledBefore: Instant
}

/** `mail` is all mail that may be pruned, longest quiet first; `total` counts all messages. */
export function trimMail(mail: readonly OldMail[], total: number, limits: MailLimits): OldMail[] {
  const old = mail.filter(({ updated_at }) => updated_at < limits.before)
  const younger = mail.filter(({ updated_at }) => updated_at >= limits.before)
  const isHandled = ({ handled_at }: OldMail) => handled_at < limits.handledBefore
  const inTurn = [...younger.filter(isHandled), ...younger.filter((one) => !isHandled(one))]
  let left = total - messagesOf(old)
  const go = [...old]
  for (const thread of inTurn) {
    if (left <= limits.messages) break
    go.push(thread)
    left -= thread.message_count
  }
  return go
}

export function messagesOf(threads: readonly Pick<OldMail, 'message_count'>[]): number {
  return threads.reduce((sum, { message_count }) => sum + message_count, 0)
}
