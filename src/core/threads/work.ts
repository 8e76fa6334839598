// Work: a thread in which one participant asks for something and another does it, under a lease (lease.ts).

import { operation } from '../error.ts'
import type { EventsOf } from '../event.ts'
import {
  ASSIGNEE,
  absentOr,
  choice,
  type FactsOf,
  FLAG,
  ID,
  int,
  listOf,
  QUEUE,
  RECIPIENT,
  text,
} from '../shape.ts'
import type { Kind } from './kind.ts'
import { MAX_LEASE_SECONDS } from './lease.ts'

export const WORK_STATUSES = [
  'pending',
  'claimed',
  'in_progress',
  'blocked',
  'done',
  'failed',
  'cancelled',
] as const
export type WorkStatus = (typeof WORK_STATUSES)[number]

export const PRIORITIES = ['high', 'normal', 'low'] as const
export type Priority = (typeof PRIORITIES)[number]

export function priorityRank(priority: Priority): number {
  return PRIORITIES.indexOf(priority)
}

// `note` is any message that isn't an answer. `claim` in a held status takes over a lapsed lease; core/threads/lease.ts
// defines when that is allowed. The sweep makes the `lapse` move.
type WorkMove =
  | 'claim'
  | 'renew'
  | 'start'
  | 'block'
  | 'answer'
  | 'note'
  | 'done'
  | 'fail'
  | 'cancel'
  | 'lapse'
  | 'read'

const LEASE_SECONDS = int({ min: 1, max: MAX_LEASE_SECONDS })
/** An answer to something other than a blocked worker's question leaves the thread blocked. */
const ANSWER = { keeps_blocked: absentOr(FLAG) }

const FACTS = {
  thread_send: {
    subject: text(),
    assigned_to: ASSIGNEE,
    priority: choice(PRIORITIES),
    /** For work sent to a role: the member that gets it first, or the role's queue. */
    recipients: absentOr(listOf(RECIPIENT, 1)),
  },
  thread_append: ANSWER,
  thread_reply: ANSWER,
  thread_claim: {
    lease_token: text({ max: 128 }),
    lease_seconds: LEASE_SECONDS,
    /** For work sent to a role: the other members it was delivered to. */
    instead_of: absentOr(listOf(RECIPIENT, 1)),
    /** The messages that the claim returned. Absent in older logs. */
    handed: absentOr(listOf(ID, 1)),
  },
  thread_renew: { lease_seconds: LEASE_SECONDS },
  thread_update: {
    status: choice(['in_progress', 'blocked']),
    /** How long the report extends the writer's lease. In older logs a report doesn't extend it. */
    lease_seconds: absentOr(LEASE_SECONDS),
  },
  thread_done: {},
  thread_fail: {},
  thread_cancel: {},
  /** For a role's work: the role, which becomes the assignee again. */
  thread_lapse: { assigned_to: absentOr(QUEUE) },
  thread_read: { message_id: ID, seq: int({ min: 1 }) },
}
export type WorkFacts = FactsOf<typeof FACTS>

const WORK_EVENTS: EventsOf<WorkFacts> = {
  thread_send: { begins: 'work', says: 'anything', facts: FACTS.thread_send },
  thread_append: { says: 'anything', facts: FACTS.thread_append },
  thread_reply: { says: 'anything', facts: FACTS.thread_reply },
  thread_claim: { says: ['event'], move: 'claim', facts: FACTS.thread_claim },
  thread_renew: {
    says: ['event', null],
    move: 'renew',
    quiet: true,
    facts: FACTS.thread_renew,
  },
  thread_update: { says: ['progress', 'question'], facts: FACTS.thread_update },
  thread_done: { says: ['result'], move: 'done', facts: FACTS.thread_done },
  thread_fail: { says: ['result'], move: 'fail', facts: FACTS.thread_fail },
  thread_cancel: { says: ['control'], move: 'cancel', facts: FACTS.thread_cancel },
  thread_lapse: { move: 'lapse', by: 'system', facts: FACTS.thread_lapse },
  // Named after work, but read marks occur in threads of every kind.
  thread_read: { in: 'any', move: 'read', quiet: true, facts: FACTS.thread_read },
}

export const WORK: Kind<WorkStatus, WorkMove, WorkFacts> = {
  moves: {
    pending: {
      claim: 'claimed',
      answer: 'pending',
      note: 'pending',
      cancel: 'cancelled',
      read: 'pending',
    },
    claimed: {
      claim: 'claimed',
      renew: 'claimed',
      start: 'in_progress',
      block: 'blocked',
      answer: 'claimed',
      note: 'claimed',
      done: 'done',
      fail: 'failed',
      cancel: 'cancelled',
      lapse: 'pending',
      read: 'claimed',
    },
    in_progress: {
      claim: 'claimed',
      renew: 'in_progress',
      start: 'in_progress',
      block: 'blocked',
      answer: 'in_progress',
      note: 'in_progress',
      done: 'done',
      fail: 'failed',
      cancel: 'cancelled',
      lapse: 'pending',
      read: 'in_progress',
    },
    blocked: {
      claim: 'claimed',
      renew: 'blocked',
      start: 'in_progress',
      block: 'blocked',
      answer: 'in_progress',
      note: 'blocked',
      done: 'done',
      fail: 'failed',
      cancel: 'cancelled',
      lapse: 'pending',
      read: 'blocked',
    },
    // Finished. A second `done` is refused with invalid_state; reading is always allowed.
    done: { read: 'done' },
    failed: { read: 'failed' },
    cancelled: { read: 'cancelled' },
  },
  first: 'pending',
  leased: true,
  set: 'threads',
  sight: { person: 'all', system: 'all', service: 'all', orchestrator: 'all', agent: 'all' },
  ofWorkspaces: false,
  answerWith: (thread) => operation('reply', { thread }),
  bounces: true,
  retention: 'finished',
  events: WORK_EVENTS,
}
