// An event is one row of the log. Its id only grows, in commit order, and is the only resume cursor.
//
// Every operation that changes a thread makes one ThreadEvent: the facts, from which core/threads/evolve.ts
// computes the new state. The store writes that state and the event in one transaction, and replay
// feeds the same facts to the same function; so the log can always be checked against the tables.
// A message is immutable and stored once, in its own table; the event names it by id.
//
// What happens to the store's agents, people, tokens, workspaces and wakes is a StoreEvent, of no thread: its
// thread id is empty.
//
// The table EVENTS says what every type of event is. Whoever asks looks there.

import type { Delivery } from './inbox/delivery.ts'
import type { Move, ThreadKind, ThreadStatus } from './kinds.ts'
import type { MailFacts } from './mail/mail-facts.ts'
import type { RecordList } from './record.ts'
import { RECORDS, type StoreFacts, type ThreadRecordFacts } from './records.ts'
import type { Message } from './threads/message.ts'
import type { Priority } from './threads/thread.ts'
import type { Instant } from './time.ts'
import type { MessageKind } from './vocabulary.ts'

/** A step of deliveries of one recipient in one thread. */
export type DeliveryFacts = { recipient: string; messages: string[] }

/** What was in a role's queue, in full: whoever takes it gets a delivery of its own. */
export type Taken = Pick<Delivery, 'message_id' | 'seq' | 'kind' | 'expires_at'>

export type ThreadFacts =
  | {
      type: 'thread_send'
      subject: string
      assigned_to: string
      priority: Priority
      /** Of work for a role: who of it hears of the thread first, or its queue. */
      recipients?: string[]
    }
  | { type: 'thread_append' }
  | {
      type: 'thread_claim'
      lease_token: string
      lease_seconds: number
      /** Of work for a role: the others who had heard of it. */
      instead_of?: string[]
      /** The messages that went out with the claim's answer. Older logs do not say. */
      handed?: string[]
    }
  | { type: 'thread_renew'; lease_seconds: number }
  | { type: 'thread_update'; status: 'in_progress' | 'blocked' }
  | { type: 'thread_reply' }
  | { type: 'thread_done' }
  | { type: 'thread_fail' }
  | { type: 'thread_cancel' }
  /** Of work for a role: whoever lost it, it is the role's again. */
  | { type: 'thread_lapse'; assigned_to?: string }
  | { type: 'thread_read'; message_id: string; seq: number }
  | ({ type: 'mail_send'; subject: string } & MailFacts)
  | ({ type: 'mail_append' } & MailFacts)
  | ({ type: 'delivery_present'; by: string } & DeliveryFacts)
  | ({ type: 'delivery_read'; by: string } & DeliveryFacts)
  | ({ type: 'delivery_bounce'; reason: string } & DeliveryFacts)
  | ({ type: 'delivery_expire'; reason: string } & DeliveryFacts)
  | { type: 'delivery_take'; recipient: string; from: string; taken: Taken[] }
  | ({ type: 'delivery_unread' } & DeliveryFacts)

export type Facts = ThreadFacts | ThreadRecordFacts

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

const DELIVERY = { of: 'delivery', in: 'any', move: 'read' } as const

const THREAD_EVENTS: Record<ThreadFacts['type'], EventRules> = {
  thread_send: { of: 'work', begins: 'work', says: 'anything' },
  thread_append: { of: 'work', says: 'anything' },
  thread_reply: { of: 'work', says: 'anything' },
  thread_claim: { of: 'work', says: ['event'], move: 'claim' },
  thread_renew: { of: 'work', says: ['event', null], move: 'renew', quiet: true },
  thread_update: { of: 'work', says: ['progress', 'question'] },
  thread_done: { of: 'work', says: ['result'], move: 'done' },
  thread_fail: { of: 'work', says: ['result'], move: 'fail' },
  thread_cancel: { of: 'work', says: ['control'], move: 'cancel' },
  thread_lapse: { of: 'work', move: 'lapse', by: 'system' },
  thread_read: { of: 'work', in: 'any', move: 'read', quiet: true },
  mail_send: { of: 'mail', begins: 'mail', says: 'anything', by: 'anyone' },
  mail_append: { of: 'mail', says: 'anything', by: 'anyone' },
  delivery_present: { ...DELIVERY, quiet: true },
  delivery_read: { ...DELIVERY, quiet: true },
  delivery_unread: { ...DELIVERY, in: 'push', quiet: true },
  delivery_take: DELIVERY,
  delivery_bounce: { ...DELIVERY, by: 'system' },
  delivery_expire: { ...DELIVERY, by: 'system' },
}

/** The events of threads, and those of records (records.ts). */
export const EVENTS = { ...THREAD_EVENTS, ...RECORDS.rules } as Record<
  Facts['type'] | StoreFacts['type'],
  EventRules
>

/** The same where there may be other records. */
export function rulesOf(type: string, { rules }: RecordList): EventRules | undefined {
  return (THREAD_EVENTS as Record<string, EventRules>)[type] ?? rules[type]
}

export type EventType = keyof typeof EVENTS

export const EVENT_TYPES = Object.keys(EVENTS) as EventType[]
export const QUIET_EVENTS = EVENT_TYPES.filter((type) => EVENTS[type].quiet)

export const SYSTEM = 'system'
