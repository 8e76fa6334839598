// The keeper's port: what doctor, export, import and backup need of a store beyond the operations.

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
  /** Worth doing something about, but nothing is broken. */
  warning?: true
  remedy?: string
}

/** One entry of the log with its message: what export writes and import reads. */
export type LogEntry = { event: LoggedEvent; message: Message | null }

/** A message and the combined state of its deliveries: unread while anyone has yet to read it. */
export type MailboxItem = Omit<Message, 'artifacts'> & {
  standing: 'unread' | 'read' | 'bounced' | 'expired'
}

/** A push, or a deleted push of which only the names remain. */
export type LoggedPush = Push &
  Pick<Message, 'message_id' | 'from_agent' | 'body' | 'payload_json'> & {
    event_id: number
    event_type: 'push_send' | 'push_delete'
    artifacts: Artifact[]
  }
/** Where a page of the log, thread by thread, ended. */
export type ThreadPlace = Pick<LoggedEvent, 'thread_id' | 'event_id'>
export type ReadPlace = Pick<ReadMark, 'thread_id' | 'agent_id'>
export type DeliveryPlace = Pick<Delivery, 'thread_id' | 'recipient' | 'event_id'>

export interface Keeper {
  log(after: number, limit: number): Promise<LogEntry[]>
  /** The log thread by thread, events of no thread first; of a message only what replaying needs. */
  logByThread(after: ThreadPlace, limit: number): Promise<LogEntry[]>
  /** Pages of rows that belong to threads go no further than the thread `upto`, if it is given. */
  threadsPage(after: string, limit: number, upto?: string): Promise<Thread[]>
  leasesPage(after: string, limit: number, upto?: string): Promise<Lease[]>
  readsPage(after: ReadPlace, limit: number, upto?: string): Promise<ReadMark[]>
  deliveriesPage(after: DeliveryPlace, limit: number, upto?: string): Promise<Delivery[]>
  /** The rows on people's desks of these threads: as they are stored, and as they follow from the other tables. */
  deskRows(
    now: Instant,
    after: string,
    upto?: string,
  ): Promise<{ stored: DeskPlace[]; made: DeskPlace[] }>
  /** How many messages there are in these threads. */
  messagesBetween(after: string, upto?: string): Promise<number>
  /** Rows of a record, by key; for a thread's record as far as the thread `upto`. */
  recordsPage<Row>(
    record: RecordOf<Row>,
    after: string,
    limit: number,
    upto?: string,
  ): Promise<Row[]>
  /** Pushes and deletions of pushes, in the order of the log. */
  entriesPage(after: number, limit: number): Promise<LoggedPush[]>
  /** Mail sent before this moment that no one has looked at, by recipient. */
  mailWaiting(before: Instant): Promise<{ recipient: string; n: number; since: Instant }[]>
  /** The first event that the log dates after this moment. */
  firstEventAfter(moment: Instant): Promise<LoggedEvent | null>
  /** All messages that are not bookkeeping, oldest first. */
  mailboxByTime(
    after: Pick<Message, 'created_at' | 'message_id'>,
    limit: number,
  ): Promise<MailboxItem[]>
  /** The same in the order of the log. */
  mailboxByEvent(after: number, limit: number): Promise<(MailboxItem & { event_id: number })[]>
  setting(name: string): Promise<string | null>
  /** The id that distinguishes this log from every other; `fresh` becomes the id if there is none yet. */
  storeId(fresh: string): Promise<string>
  /**
   * Adds entries unchanged, ids included. This and the next method do nothing and return false if the log doesn't end
   * where this load left it, because then someone else has written there.
   */
  load(
    batch: { before: ThreadState | null; entry: LogEntry }[],
    from: { by: string | null; endsAt: number; now: Instant },
  ): Promise<boolean>
  /** Ends a load: the log keeps its name and floor, and goes on past everything it ever named. */
  finishLoad(log: { floor: number; store: string | null; endsAt: number }): Promise<boolean>
  backup(file: string): Promise<void>
  /**
   * Erases deleted text from the store's files as well. A file larger than `mostBytes` is left for later, because
   * everyone waits while it is rewritten. Returns false if something is left.
   */
  forgetRemoved(mostBytes: number): Promise<boolean>
  inspect(): Promise<Finding[]>
}

export const LOADING = 'loading'
/** Set while the file may still hold copies of deleted text. */
export const ERASING = 'erasing'
/** Set when a loaded log contains agents with commands. */
export const COMMANDS_CAME = 'commands_came'
