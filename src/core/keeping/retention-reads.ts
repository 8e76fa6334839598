// What a store answers about what may be removed.

import type { Thread } from '../threads/thread.ts'
import type { Instant } from '../time.ts'
import type { OldMail } from './retention.ts'

export interface RetentionLooks {
  prunable(filter: PruneFilter): Promise<Thread[]>
  /** Mail that may go, quietest first. */
  prunableMail(limit: number): Promise<OldMail[]>
  /** Pushes that were put away or deleted before then. */
  prunablePushes(before: Instant, limit: number): Promise<Thread[]>
  /** Wakes that were over by then and from which nothing is to be known any more. */
  prunableWakes(before: Instant, limit: number): Promise<string[]>
  /** Tokens, sessions and codes that were good for nothing by then. */
  prunableTokens(before: Instant, limit: number): Promise<string[]>
  /** Messages of mail, those somebody has yet to read, and the threads quiet since before then. */
  mailTotals(before: Instant): Promise<MailTotals>
}

export type PruneFilter = { before: Instant; unreadToo: boolean; limit: number }

export type MailTotals = { messages: number; unread: number; old: number }
