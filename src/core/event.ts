// An event is one row of the log. Its id only grows, in commit order, and is the only resume cursor.
//
// Every operation that changes a thread makes one ThreadEvent: the facts, from which core/threads/evolve.ts
// computes the new state. The store writes that state and the event in one transaction, and replay
// feeds the same facts to the same function; so the log can always be checked against the tables.
// A message is immutable and stored once, in its own table; the event names it by id.
//
// What happens to the store's agents, people, tokens, workspaces and wakes is a StoreEvent, of no thread: its
// thread id is empty. Their events and those of pushes are declared with their records (record.ts).
//
// The table EVENTS says what every type of event is. Whoever asks looks there.

import type { Shape, Shapes } from './fact-shape.ts'
import { INBOX_EVENTS, type InboxFacts } from './inbox/delivery-facts.ts'
import { KINDS, type Move, THREAD_KINDS, type ThreadKind, type ThreadStatus } from './kinds.ts'
import type { RecordList } from './record.ts'
import { RECORDS, type StoreFacts, type ThreadRecordFacts } from './records.ts'
import type { Message } from './threads/message.ts'
import type { Instant } from './time.ts'
import type { MessageKind } from './vocabulary.ts'

type KindFacts = NonNullable<(typeof KINDS)[ThreadKind]['types']>['facts']

/** What an event of a thread says: of its kind, of deliveries in it, or of a record that it has. */
export type Facts = KindFacts | InboxFacts | ThreadRecordFacts

export type ThreadEvent = {
  thread_id: string
  run_id: string
  task_id: string
  /** Who did it. `system` for the sweep. */
  agent: string
  at: Instant
  summary: string
  message: Message | null
  facts: Facts
}

/** What happened to the store, and to no thread. */
export type StoreEvent = {
  /** Who did it, or `system`. */
  agent: string
  at: Instant
  summary: string
  facts: StoreFacts
}

/** An event made by saying something: most are. */
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
  /** Empty where there is no thread. */
  status: ThreadStatus | ''
  message_id: string | null
  summary: string
  payload_json: string
  created_at: Instant
}

/** What doors show of an event: everything but the facts, which carry lease tokens. */
export type EventView = Omit<LoggedEvent, 'payload_json' | 'source'>

/** What an event is of: a thread of some kind, deliveries, or a record of the store. */
export type EventOf = ThreadKind | 'delivery' | 'record'

export type EventRules = {
  of: EventOf
  /** The kind of thread that begins with it. */
  begins?: ThreadKind
  /** In threads of which kind it may stand. Absent: of the kind that it is of. */
  in?: ThreadKind | 'any' | 'none'
  /** Kinds of message it may bring, where null is none. Absent: it brings none. */
  says?: 'anything' | readonly (MessageKind | null)[]
  /** Which move of its thread it is (src/core/kinds.ts). Absent: its words decide (core/threads/evolve.ts). */
  move?: Move
  /** Who signs for it: the system, or anyone, which may be the system. Absent: an agent or a person. */
  by?: 'anyone' | 'system'
  /** Everything that was said in its thread is removed for ever, and what was delivered to those that it names. */
  erases?: true
  /** Bookkeeping that nobody waits for: it changes no thread's standing. */
  quiet?: true
}

/** The rules of events, and the shapes of their facts. */
export type EventsOf<F extends { type: string }> = {
  [Type in F['type']]: Omit<EventRules, 'of'> & { facts: Shapes<Extract<F, { type: Type }>> }
}
type ThreadEventRules = EventRules & { facts: Readonly<Record<string, Shape>> }

/** The events of threads that no record declares. */
export const THREAD_EVENTS: Record<string, ThreadEventRules> = Object.fromEntries([
  ...THREAD_KINDS.flatMap((kind) => eventsOf(kind, KINDS[kind].events)),
  ...eventsOf('delivery', INBOX_EVENTS),
])

function eventsOf(of: EventOf, events: Record<string, Omit<ThreadEventRules, 'of'>>) {
  return Object.entries(events).map(([type, rules]) => [type, { of, ...rules }] as const)
}

/** The events of threads, and those of records (records.ts). */
export const EVENTS = { ...THREAD_EVENTS, ...RECORDS.rules } as Record<
  Facts['type'] | StoreFacts['type'],
  EventRules
>

/** The same where there may be other records. */
export function rulesOf(type: string, { rules }: RecordList): EventRules | undefined {
  return THREAD_EVENTS[type] ?? rules[type]
}

export type EventType = keyof typeof EVENTS

export const EVENT_TYPES = Object.keys(EVENTS) as EventType[]
export const QUIET_EVENTS = EVENT_TYPES.filter((type) => EVENTS[type].quiet)

export const SYSTEM = 'system'
