import type { Retention } from '../threads/kind.ts'
import type { Thread } from '../threads/thread.ts'
import type { Instant } from '../time.ts'
import type { OldMail } from './retention.ts'

export interface RetentionLooks {
  /** Finished work and pushes that are kept although one might expect them to be pruned. */
  kept(before: { work: Instant; pushes: Instant }): Promise<KeptThreads>
  prunable(filter: PruneFilter): Promise<Thread[]>
  /** Mail that may be pruned, longest quiet first. */
  prunableMail(limit: number): Promise<OldMail[]>
  /** Threads whose kind has this retention, and which were trashed, resolved, outlived or left before this moment. */
  prunableOf(
    retention: Exclude<Retention, 'finished' | 'handled'>,
    before: Instant,
    limit: number,
  ): Promise<Thread[]>
  /** Rows of records that ended before this moment, such as wakes and tokens. */
  prunableRecords(before: Instant, limit: number): Promise<OldRecords>
  /** The id of the last event dated before this moment in the log; 0 if there is none. */
  lastEventBefore(moment: Instant): Promise<number>
  /** Counts mail messages, unread mail messages, and mail threads that have been quiet since before this moment. */
  mailTotals(before: Instant): Promise<MailTotals>
}

export type KeptThreads = {
  young: number
  /** Recipients with unread messages in old finished work, and the number of threads with such messages. */
  unread: { recipient: string; n: number }[]
  pushes: number
}

export type OldRecords = ReadonlyMap<string, string[]>

export type PruneFilter = { before: Instant; unreadToo: boolean; limit: number }

export type MailTotals = { messages: number; unread: number; old: number }
