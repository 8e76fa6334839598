import type { EventType, LoggedEvent } from '../event.ts'
import type { Instant } from '../time.ts'
import type { MessageKind } from '../vocabulary.ts'
import type { ThreadState } from './evolve.ts'
import type { Message } from './message.ts'
import type { WorkStatus } from './work.ts'

export interface LogReads {
  lastEventId(): Promise<number>
}

export interface LogLooks {
  /** The log's end, and when it was read. */
  standing(): Promise<{ end: number; now: Instant }>
  standingOf(threadId: string): Promise<{ end: number; now: Instant; state: ThreadState | null }>
  /** The highest event id that pruning has removed; 0 if it removed none. */
  floor(): Promise<number>
  /** At most `limit` events, and no more than fit in one read (page-bytes.ts). */
  events(filter: EventFilter): Promise<LoggedEvent[]>
  reply(filter: ReplyFilter): Promise<{ event_id: number; message: Message } | null>
  eventOfMessage(threadId: string, messageId: string): Promise<number | null>
  lastOwnEvent(threadId: string, agent: string): Promise<number>
  history(filter: HistoryFilter): Promise<HistoryPage>
  /** Counts the messages of each kind that one look finds, and returns how far back it went. */
  countHistory(filter: Omit<HistoryFilter, 'limit'>): Promise<HistoryCounts>
}

export type EventFilter = {
  after: number
  /** Only events by others, in threads this agent made, is assigned to, or could claim as a member of its role. */
  agent?: string | undefined
  /** Like `agent`, but includes everything that was delivered to this agent. */
  party?: string | undefined
  /** In work threads, only events that left the thread in one of these statuses. */
  statuses?: readonly WorkStatus[] | undefined
  without: readonly EventType[]
  /** Of push events, includes only those of pushes from this workspace. */
  pushesFrom?: string | undefined
  limit: number
}

export type ReplyFilter = {
  threadId: string
  after: number
  notFrom: string
  kinds: readonly MessageKind[]
}

export type HistoryItem = Omit<Message, 'artifacts'> & { event_id: number }

export type HistoryFilter = {
  before: number
  after?: number | undefined
  threadId?: string | undefined
  messageId?: string | undefined
  workspaceId?: string | undefined
  kinds?: readonly MessageKind[] | undefined
  since?: Instant | undefined
  until?: Instant | undefined
  party?: string | undefined
  sentBy?: string | undefined
  gotBy?: string | undefined
  /** The caller, if it may see only what it sent or received. */
  reader?: string | undefined
  /** Text in the subject or body, case-insensitive for a to z. */
  text?: string | undefined
  limit: number
}

/**
 * Newest first. A look examines only a limited amount: `bottom` is how far back it went, and there may be more below
 * that.
 */
export type HistoryPage = { items: HistoryItem[]; bottom: number }

export type HistoryCounts = { counts: { kind: MessageKind; count: number }[]; bottom: number }
