// The facts of work threads, and what each of their events may be.

import type { EventsOf } from '../event.ts'
import {
  ASSIGNEE,
  absentOr,
  choice,
  FLAG,
  ID,
  int,
  listOf,
  QUEUE,
  RECIPIENT,
  text,
} from '../fact-shape.ts'
import { MAX_LEASE_SECONDS } from './lease.ts'
import { PRIORITIES, type Priority } from './priority.ts'

type AnswerFacts = {
  /** An answer to something else than the question of the worker that is blocked: the thread stays blocked. */
  keeps_blocked?: boolean
}

export type WorkFacts =
  | {
      type: 'thread_send'
      subject: string
      assigned_to: string
      priority: Priority
      /** For work that is sent to a role: the member that hears of it first, or the role's queue. */
      recipients?: string[]
    }
  | ({ type: 'thread_append' } & AnswerFacts)
  | {
      type: 'thread_claim'
      lease_token: string
      lease_seconds: number
      /** For work of a role: the other members that had heard of it. */
      instead_of?: string[]
      /** The messages that went out with the claim's answer. Older logs do not have it. */
      handed?: string[]
    }
  | { type: 'thread_renew'; lease_seconds: number }
  | {
      type: 'thread_update'
      status: 'in_progress' | 'blocked'
      /** For how long the report extends its writer's lease. In older logs a report extends nothing. */
      lease_seconds?: number
    }
  | ({ type: 'thread_reply' } & AnswerFacts)
  | { type: 'thread_done' }
  | { type: 'thread_fail' }
  | { type: 'thread_cancel' }
  /** For work of a role: the assignee is the role again. */
  | { type: 'thread_lapse'; assigned_to?: string }
  | { type: 'thread_read'; message_id: string; seq: number }

const LEASE_SECONDS = int({ min: 1, max: MAX_LEASE_SECONDS })

export const WORK_EVENTS: EventsOf<WorkFacts> = {
  thread_send: {
    begins: 'work',
    says: 'anything',
    facts: {
      subject: text(),
      assigned_to: ASSIGNEE,
      priority: choice(PRIORITIES),
      recipients: absentOr(listOf(RECIPIENT, 1)),
    },
  },
  thread_append: { says: 'anything', facts: { keeps_blocked: absentOr(FLAG) } },
  thread_reply: { says: 'anything', facts: { keeps_blocked: absentOr(FLAG) } },
  thread_claim: {
    says: ['event'],
    move: 'claim',
    facts: {
      lease_token: text({ max: 128 }),
      lease_seconds: LEASE_SECONDS,
      instead_of: absentOr(listOf(RECIPIENT, 1)),
      handed: absentOr(listOf(ID, 1)),
    },
  },
  thread_renew: {
    says: ['event', null],
    move: 'renew',
    quiet: true,
    facts: { lease_seconds: LEASE_SECONDS },
  },
  thread_update: {
    says: ['progress', 'question'],
    facts: { status: choice(['in_progress', 'blocked']), lease_seconds: absentOr(LEASE_SECONDS) },
  },
  thread_done: { says: ['result'], move: 'done', facts: {} },
  thread_fail: { says: ['result'], move: 'fail', facts: {} },
  thread_cancel: { says: ['control'], move: 'cancel', facts: {} },
  thread_lapse: { move: 'lapse', by: 'system', facts: { assigned_to: absentOr(QUEUE) } },
  // A read mark is of work by its name, and stands in threads of every kind.
  thread_read: {
    in: 'any',
    move: 'read',
    quiet: true,
    facts: { message_id: ID, seq: int({ min: 1 }) },
  },
}
