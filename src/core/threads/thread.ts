// A thread is the durable container of one conversation. What may happen to it is the table MOVES:
// for each status, the moves that are legal and the status each leads to. Work goes through the
// statuses of WORK_STATUSES; a thread of any other kind is `open`, and a push may be put away.

import { type Refusal, refuse } from '../error.ts'
import { operation, sentence } from '../sentence.ts'
import type { Instant } from '../time.ts'

export const THREAD_KINDS = ['work', 'mail', 'push'] as const
export type ThreadKind = (typeof THREAD_KINDS)[number]

export const WORK_STATUSES = [
  'pending',
  'claimed',
  'in_progress',
  'blocked',
  'done',
  'failed',
  'cancelled',
] as const
export const THREAD_STATUSES = [...WORK_STATUSES, 'open', 'trashed', 'deleted'] as const
export type WorkStatus = (typeof WORK_STATUSES)[number]
export type ThreadStatus = (typeof THREAD_STATUSES)[number]

export const PRIORITIES = ['high', 'normal', 'low'] as const
export type Priority = (typeof PRIORITIES)[number]

export type Thread = {
  thread_id: string
  run_id: string
  task_id: string
  subject: string
  created_by: string
  assigned_to: string
  status: ThreadStatus
  priority: Priority
  latest_message_id: string
  message_count: number
  created_at: Instant
  updated_at: Instant
  kind: ThreadKind
}

export type Move =
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
  | 'trash'
  | 'restore'
  | 'delete'

/** Statuses in which a worker holds, or has lost, a lease. */
export const HELD_STATUSES = ['claimed', 'in_progress', 'blocked'] as const

// `note` is any message that is not an answer. `claim` of a held status is a take-over of a lapsed
// lease; core/threads/lease.ts says when that is allowed. `lapse` is the sweep.
export const MOVES = {
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
  // Not work: nobody holds it and it does not end. Only a push is put away or deleted; whoever says
  // something in one that was put away brings it back.
  open: { answer: 'open', note: 'open', read: 'open', trash: 'trashed', delete: 'deleted' },
  trashed: { answer: 'open', note: 'open', read: 'trashed', restore: 'open', delete: 'deleted' },
  deleted: { read: 'deleted' },
} as const satisfies Record<ThreadStatus, Partial<Record<Move, ThreadStatus>>>

export function moved(status: ThreadStatus, move: Move): ThreadStatus | undefined {
  return (MOVES[status] as Partial<Record<Move, ThreadStatus>>)[move]
}

export function isFinished(status: ThreadStatus): boolean {
  return status === 'done' || status === 'failed' || status === 'cancelled'
}

export function mustMove(thread: Thread, move: Move, verb: string): ThreadStatus {
  const status = moved(thread.status, move)
  if (status === undefined) throw cannot(thread, verb)
  return status
}

/** Before anybody asks who holds it: a lease is of work, and of work that goes on. */
export function mustBeWorkedOn(thread: Thread, verb: string): void {
  if (thread.kind !== 'work' || isFinished(thread.status)) throw cannot(thread, verb)
}

function cannot({ thread_id, status, kind }: Thread, verb: string): Refusal {
  const remedy = isFinished(status)
    ? sentence`start a new thread with ${operation('send')}`
    : kind !== 'work'
      ? sentence`only work can be worked on; see ${operation('show', { thread: thread_id })}`
      : sentence`claim it first with ${operation('claim', { thread: thread_id })}`
  const what = kind === 'work' ? `it is ${status}` : `it is a thread of ${kind}`
  return refuse('invalid_state', sentence`cannot ${verb} thread ${thread_id}: ${what}; ${remedy}`, {
    thread_id,
    status,
  })
}

export function mustBePush(thread: Thread): void {
  if (thread.kind !== 'push') {
    throw refuse(
      'not_found',
      sentence`${thread.thread_id} is a thread of ${thread.kind} and no push; see ${operation('push history')}`,
    )
  }
  if (thread.status === 'deleted') throw deletedPush(thread)
}

export function deletedPush({ thread_id }: Thread) {
  return refuse(
    'not_found',
    sentence`the push ${thread_id} was deleted; see ${operation('push history')}`,
  )
}

export function priorityRank(priority: Priority): number {
  return PRIORITIES.indexOf(priority)
}
