// An event is one row of the log. Event ids only increase, in commit order, and are the only resume cursor.
// Every operation that changes a thread makes one ThreadEvent: the facts from which core/threads/evolve.ts computes the
// new state. The store writes that state and the event in one transaction, and replay feeds the same facts to the same
// function, so the log can always be checked against the tables. A message is immutable and stored once, in a separate
// table; the event names it by id.
// Changes to the store's agents, people, tokens, workspaces and wakes are StoreEvents, which have no thread: their
// thread id is empty. Store events and push events are declared with their records (record.ts).
// The table EVENTS describes every type of event.

import { INBOX_EVENTS, type InboxFacts } from './inbox/delivery-facts.ts'
import { KINDS, type Move, THREAD_KINDS, type ThreadKind, type ThreadStatus } from './kinds.ts'
import type { RecordList } from './record.ts'
import { RECORDS, type StoreFacts, type ThreadRecordFacts } from './records.ts'
import type { Shape, Shapes } from './shape.ts'
import type { Message } from './threads/message.ts'
import { type Instant, latest } from './time.ts'
import type { MessageKind } from './vocabulary.ts'

type KindFacts = NonNullable<(typeof KINDS)[ThreadKind]['types']>['facts']

/** The facts of a thread's event: those of its kind, of deliveries in it, or of its record. */
export type Facts = KindFacts | InboxFacts | ThreadRecordFacts

export type ThreadEvent = {
  thread_id: string
  run_id: string
  task_id: string
  /** The actor; `system` for the sweep. */
  agent: string
  /** When it happened, by the clock. Expiry times are computed from this. */
  at: Instant
  /** The event's time in the log, set by the store when the event is recorded. Defaults to `at`. */
  created_at?: Instant
  summary: string
  message: Message | null
  facts: Facts
}

export type StoreEvent = {
  /** The actor, or `system`. */
  agent: string
  at: Instant
  created_at?: Instant
  /** Empty if left out. */
  summary?: string
  facts: StoreFacts
}

/**
 * Sets the event's time in the log: when it happened or, if the clock was ahead when an earlier event was written, the
 * latest time in the log. This keeps times in the log in order. A message gets the time of its event, unless it was
 * written elsewhere earlier.
 */
export function dateInLog(event: ThreadEvent | StoreEvent, reached: Instant): void {
  const created_at = latest(event.at, reached)
  event.created_at = created_at
  if (!('message' in event) || event.message?.created_at !== event.at) return
  event.message.created_at = created_at
  for (const artifact of event.message.artifacts) artifact.created_at = created_at
}

export function timeInLog({
  at,
  created_at = at,
}: Pick<ThreadEvent, 'at' | 'created_at'>): Instant {
  return created_at
}

/** An event that has a message, as most do. */
export type SpokenEvent = ThreadEvent & { message: Message }

/** The stored row, as waits, streams and audits read it. */
export type LoggedEvent = {
  event_id: number
  run_id: string
  task_id: string
  thread_id: string
  source: string
  event_type: EventType
  agent: string
  /** Empty for an event without a thread. */
  status: ThreadStatus | ''
  message_id: string | null
  summary: string
  /** The facts, plus `at` (when it happened) if that was before its time in the log. */
  payload_json: string
  created_at: Instant
}

/** An event as doors show it: everything but the facts, which carry lease tokens. */
export type EventView = Omit<LoggedEvent, 'payload_json' | 'source'>

/** The subject of an event: a kind of thread, deliveries, or a record of the store. */
export type EventOf = ThreadKind | 'delivery' | 'record'

export type EventRules = {
  of: EventOf
  /** The kind of thread that begins with this event. */
  begins?: ThreadKind
  /** The kind of thread in which the event may occur. Defaults to its own kind. */
  in?: ThreadKind | 'any' | 'none'
  /** The kinds of message the event may have; null means none. If absent, the event never has a message. */
  says?: 'anything' | readonly (MessageKind | null)[]
  /** The move its thread makes (src/core/kinds.ts). If absent, it depends on the message (core/threads/evolve.ts). */
  move?: Move
  /** Who signs it: only the system, or anyone including the system. By default, an agent or a person. */
  by?: 'anyone' | 'system'
  /** Everything said in the event's thread is permanently removed, with the deliveries to the named recipients. */
  erases?: true
  /** Message content in the event's thread is removed to save space. Other data stays, and copies may remain. */
  trims?: true
  /** Bookkeeping that no one waits for: it doesn't change the thread's standing. */
  quiet?: true
}

export type EventsOf<F extends { type: string }> = {
  [Type in F['type']]: Omit<EventRules, 'of'> & { facts: Shapes<Extract<F, { type: Type }>> }
}
type ThreadEventRules = EventRules & { facts: Readonly<Record<string, Shape>> }

/** The thread events that aren't declared by a record. */
export const THREAD_EVENTS: Record<string, ThreadEventRules> = Object.fromEntries([
  ...THREAD_KINDS.flatMap((kind) => eventsOf(kind, KINDS[kind].events)),
  ...eventsOf('delivery', INBOX_EVENTS),
])

function eventsOf(of: EventOf, events: Record<string, Omit<ThreadEventRules, 'of'>>) {
  return Object.entries(events).map(([type, rules]) => [type, { of, ...rules }] as const)
}

/** All thread events and record events (records.ts). */
export const EVENTS = { ...THREAD_EVENTS, ...RECORDS.rules } as Record<
  Facts['type'] | StoreFacts['type'],
  EventRules
>

export function rulesOf(type: string, { rules }: RecordList): EventRules | undefined {
  return THREAD_EVENTS[type] ?? rules[type]
}

export type EventType = keyof typeof EVENTS

export const EVENT_TYPES = Object.keys(EVENTS) as EventType[]
export const QUIET_EVENTS = EVENT_TYPES.filter((type) => EVENTS[type].quiet)

export const SYSTEM = 'system'
