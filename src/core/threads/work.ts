// Work: a thread in which one asks for something and another does it, under a lease (lease.ts).

import { operation } from '../sentence.ts'
import type { Kind } from './kind.ts'
import { WORK_EVENTS, type WorkFacts } from './work-facts.ts'

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

// `note` is any message that is not an answer. `claim` of a held status is a take-over of a lapsed
// lease; core/threads/lease.ts says when that is allowed. `lapse` is the sweep.
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
    // Finished. A second `done` is invalid_state, not a quiet success; reading is always allowed.
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
