// The keeper's port: what doctor, export, import and backup need from a store in addition to the operations.

import type { DeskPlace } from '../desk/desk-reads.ts'
import type { LoggedEvent } from '../event.ts'
import type { Delivery } from '../inbox/delivery.ts'
import type { Push } from '../pushes/push.ts'
import type { RecordOf } from '../record.ts'
import type { ReadMark, ThreadState } from '../threads/evolve.ts'
import type { Lease } from '../threads/lease.ts'
import type { Artifact, Message } from '../threads/message.ts'
import type { Thread } from '../threads/thread.ts'
import type { Instant } from '../time.ts'

export type Finding = {
  check: string
  ok: boolean
  detail: string
  /** Worth acting on, but nothing is broken. */
  warning?: true
  remedy?: string
}

/** One entry of the log with its message: what export writes and import reads. */
export type LogEntry = { event: LoggedEvent; message: Message | null }

/** A message and the combined state of its deliveries: unread while anyone has yet to read it. */
export type MailboxItem = Omit<Message, 'artifacts'> & {
  standing: 'unread' | 'read' | 'bounced' | 'expired'
}

/** A push, or what is left of a deleted push. */
export type LoggedPush = Push &
  Pick<Message, 'message_id' | 'from_agent' | 'body' | 'payload_json'> & {
    event_id: number
    event_type: 'push_send' | 'push_delete'
    artifacts: Artifact[]
  }
/** Where a page of the thread-by-thread log ended. */
export type ThreadPlace = Pick<LoggedEvent, 'thread_id' | 'event_id'>
export type ReadPlace = Pick<ReadMark, 'thread_id' | 'agent_id'>
export type DeliveryPlace = Pick<Delivery, 'thread_id' | 'recipient' | 'event_id'>

export interface Keeper {
  log(after: number, limit: number): Promise<LogEntry[]>
  /** The log, thread by thread, starting with events that have no thread. Messages contain only what replay needs. */
  logByThread(after: ThreadPlace, limit: number): Promise<LogEntry[]>
  /** A page of rows that belong to threads, up to the thread `upto` if given. */
  threadsPage(after: string, limit: number, upto?: string): Promise<Thread[]>
  leasesPage(after: string, limit: number, upto?: string): Promise<Lease[]>
  readsPage(after: ReadPlace, limit: number, upto?: string): Promise<ReadMark[]>
  deliveriesPage(after: DeliveryPlace, limit: number, upto?: string): Promise<Delivery[]>
  /** These threads' rows on people's desks, both as stored and as derived from the other tables. */
  deskRows(
    now: Instant,
    after: string,
    upto?: string,
  ): Promise<{ stored: DeskPlace[]; made: DeskPlace[] }>
  messagesBetween(after: string, upto?: string): Promise<number>
  /** The rows of a record, by key; for a thread record, only up to the thread `upto`. */
  recordsPage<Row>(
    record: RecordOf<Row>,
    after: string,
    limit: number,
    upto?: string,
  ): Promise<Row[]>
  /** Pushes and deletions of pushes, in log order. */
  entriesPage(after: number, limit: number): Promise<LoggedPush[]>
  /** Mail sent before this time that no one has looked at, by recipient. */
  mailWaiting(before: Instant): Promise<{ recipient: string; n: number; since: Instant }[]>
  /** The first event with a time in the log after this moment. */
  firstEventAfter(moment: Instant): Promise<LoggedEvent | null>
  /** All messages other than bookkeeping, oldest first. */
  mailboxByTime(
    after: Pick<Message, 'created_at' | 'message_id'>,
    limit: number,
  ): Promise<MailboxItem[]>
  /** All messages other than bookkeeping, in log order. */
  mailboxByEvent(after: number, limit: number): Promise<(MailboxItem & { event_id: number })[]>
  setting(name: string): Promise<string | null>
  /** The id that distinguishes this log from all others; `fresh` becomes the id if there is none yet. */
  storeId(fresh: string): Promise<string>
  /**
   * Adds entries unchanged, ids included. This and the next method do nothing and return false if the log no longer
   * ends where this load left it, because another process has written to it.
   */
  load(
    batch: { before: ThreadState | null; entry: LogEntry }[],
    from: { by: string | null; endsAt: number; now: Instant },
  ): Promise<boolean>
  /** Ends a load: sets the log's id and floor, and continues after the highest event id the log ever used. */
  finishLoad(log: { floor: number; store: string | null; endsAt: number }): Promise<boolean>
  backup(file: string): Promise<void>
  /**
   * Erases deleted text from the store's files as well. A file larger than `mostBytes` is left for later, because every
   * caller waits while it's rewritten. Returns false if any file is left.
   */
  forgetRemoved(mostBytes: number): Promise<boolean>
  inspect(): Promise<Finding[]>
}

export const LOADING = 'loading'
/** Set while the file may still contain copies of deleted text. */
export const ERASING = 'erasing'
/** Set when a loaded log contains agents with commands. */
export const COMMANDS_CAME = 'commands_came'
