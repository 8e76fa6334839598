// The store's answers about what may be removed.

import type { Thread } from '../threads/thread.ts'
import type { Instant } from '../time.ts'
import type { OldMail } from './retention.ts'

export interface RetentionLooks {
  /** Work that is finished, and pushes, that stay although somebody might expect them to go. */
  kept(before: { work: Instant; pushes: Instant }): Promise<KeptThreads>
  prunable(filter: PruneFilter): Promise<Thread[]>
  /** Mail that may go, the quietest first. */
  prunableMail(limit: number): Promise<OldMail[]>
  /** Pushes that were trashed or deleted before then. */
  prunablePushes(before: Instant, limit: number): Promise<Thread[]>
  /** Requests that were resolved before then. */
  prunableRequests(before: Instant, limit: number): Promise<Thread[]>
  /** Rows of records that were over by then: wakes, tokens. */
  prunableRecords(before: Instant, limit: number): Promise<OldRecords>
  /** The last event that the log dates before then; 0 when there is none. */
  lastEventBefore(moment: Instant): Promise<number>
  /** The messages of mail, those that somebody has yet to read, and the threads quiet since before then. */
  mailTotals(before: Instant): Promise<MailTotals>
}

export type KeptThreads = {
  /** Finished work that is not old enough. */
  young: number
  /** For whom there is something unread in old finished work, and in how many threads. */
  unread: { recipient: string; n: number }[]
  /** Old pushes that nobody trashed. */
  pushes: number
}

/** Keys of rows, by table. */
export type OldRecords = ReadonlyMap<string, string[]>

export type PruneFilter = { before: Instant; unreadToo: boolean; limit: number }

export type MailTotals = { messages: number; unread: number; old: number }
