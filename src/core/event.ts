// An event is one row of the log. Its id only grows, in commit order, and is the only resume cursor.
//
// Every operation that changes a thread makes one ThreadEvent: the facts, from which core/evolve.ts
// computes the new state. The store writes that state and the event in one transaction, and replay
// feeds the same facts to the same function; so the log can always be checked against the tables.
// A message is immutable and stored once, in its own table; the event names it by id.
//
// What happens to the store's agents is an event of no thread: its thread id is empty.

import type { AgentFacts } from './agent.ts'
import type { Delivery } from './delivery.ts'
import type { Message } from './message.ts'
import type { PushFacts } from './push.ts'
import type { Priority, ThreadStatus } from './thread.ts'
import type { Instant } from './time.ts'

export type MailFacts = {
  /** Whom the address was resolved to, once and for all. */
  recipients: string[]
  expires_at: Instant | null
  /** Of mail that came from elsewhere and had been read there: by what that is known. */
  read_by?: string
  /** Of mail that came from elsewhere and never reached anybody there: what had become of it. */
  ended?: 'bounced' | 'expired'
  /** Of mail that came from elsewhere: when it was written there. */
  written_at?: Instant
  /** Of mail that came from elsewhere: who brought it in. Older logs do not say. */
  imported_by?: string
}

/** A step of deliveries of one recipient in one thread. */
export type DeliveryFacts = { recipient: string; messages: string[] }

/** What was in a role's queue, in full: whoever takes it gets a delivery of its own. */
export type Taken = Pick<Delivery, 'message_id' | 'seq' | 'kind' | 'expires_at'>

export type Facts =
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
  | PushFacts

export type EventType = Facts['type'] | AgentFacts['type']

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

/** What happened to an agent, or by it and to no thread. */
export type AgentEvent = {
  /** Who did it, or `system`. */
  agent: string
  at: Instant
  summary: string
  facts: AgentFacts
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

/** Bookkeeping that nobody waits for: it changes no thread's standing. */
export const QUIET_EVENTS: readonly EventType[] = [
  'thread_renew',
  'thread_read',
  'delivery_present',
  'delivery_read',
  'delivery_unread',
  'agent_register',
  'agent_declare',
  'person_add',
  'wake_start',
  'wake_end',
  'workspace_add',
  'workspace_change',
  'workspace_remove',
  'token_issue',
  'token_revoke',
]

export const SYSTEM = 'system'
