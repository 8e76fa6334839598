// Which mail may be pruned, and in which order. Only whole threads are pruned, and only if everyone has read
// everything: so unread mail can exceed every limit, and prune says so.

import type { Instant } from '../time.ts'

export type OldMail = {
  thread_id: string
  message_count: number
  /** The moment of the latest message. */
  updated_at: Instant
  /** When the last of it was read, answered, or bounced. */
  handled_at: Instant
}

export type MailLimits = {
  /** A thread that has been quiet since before this goes. */
  before: Instant
  /** How many messages may stay. */
  messages: number
  /** If there are more, those dealt with before this go first. */
  handledBefore: Instant
}

/** `mail` is everything that may go, quietest first; `total` counts all messages. */
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
