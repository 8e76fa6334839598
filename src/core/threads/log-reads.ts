// What a store answers about its log: where it ends, what came after a cursor, what was said before.

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
  /** The log's end, and the moment of the look at it. */
  standing(): Promise<{ end: number; now: Instant }>
  /** The same, and how one thread stands. */
  standingOf(threadId: string): Promise<{ end: number; now: Instant; state: ThreadState | null }>
  /** The highest event id that retention has removed; 0 when none. */
  floor(): Promise<number>
  /** So many, and no more than there is room for. */
  events(filter: EventFilter): Promise<LoggedEvent[]>
  reply(filter: ReplyFilter): Promise<{ event_id: number; message: Message } | null>
  eventOfMessage(threadId: string, messageId: string): Promise<number | null>
  lastOwnEvent(threadId: string, agent: string): Promise<number>
  history(filter: HistoryFilter): Promise<HistoryPage>
}

export type EventFilter = {
  after: number
  /** By others, in threads it made or is assigned. */
  agent?: string | undefined
  /** The same, and whatever was delivered to it. */
  party?: string | undefined
  /** Of threads of work, only what left them in one of these. */
  statuses?: readonly WorkStatus[] | undefined
  without: readonly EventType[]
  /** Of what happens to pushes, only to those from this workspace. */
  pushesFrom?: string | undefined
  limit: number
}

export type ReplyFilter = {
  threadId: string
  after: number
  notFrom: string
  kinds: readonly MessageKind[]
}

/** A message with the event that said it: a line of the history. */
export type HistoryItem = Omit<Message, 'artifacts'> & { event_id: number }

export type HistoryFilter = {
  before: number
  after?: number | undefined
  threadId?: string | undefined
  kinds?: readonly MessageKind[] | undefined
  since?: Instant | undefined
  until?: Instant | undefined
  /** Who must have sent or got it. */
  party?: string | undefined
  /** Who asks, when it may see only what it sent or got. */
  reader?: string | undefined
  /** In its subject or body, whatever the case of its letters from a to z. */
  text?: string | undefined
  limit: number
}

/** Newest first, no more than there is room for. `bottom` is how far the look went; there may be more below it. */
export type HistoryPage = { items: HistoryItem[]; bottom: number }
