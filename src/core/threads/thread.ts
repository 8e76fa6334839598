// A thread is the durable container of one conversation. The table of its kind in src/core/kinds.ts defines what may
// happen to it: the legal moves of each status, and where each one leads.

import { operation, Refusal, sentence } from '../error.ts'
import { KINDS, type Move, movesOf, type ThreadKind, type ThreadStatus } from '../kinds.ts'
import type { Instant } from '../time.ts'
import type { Priority } from './work.ts'

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

type KindAndStatus = Pick<Thread, 'kind' | 'status'>

/** The status the move leads to; undefined if the move is not legal. */
export function statusAfter({ kind, status }: KindAndStatus, move: Move): ThreadStatus | undefined {
  return movesOf(kind, status)[move]
}

/** Whether the thread is over and can only be read. */
export function isFinished({ kind, status }: KindAndStatus): boolean {
  const moves = Object.keys(movesOf(kind, status))
  return moves.length === 1 && moves[0] === 'read'
}

/** Only work has leases, and only while it is unfinished. */
export function isWorkedOn(thread: KindAndStatus): boolean {
  return KINDS[thread.kind].leased && !isFinished(thread)
}

export function mustMove(thread: Thread, move: Move, verb: string): ThreadStatus {
  const status = statusAfter(thread, move)
  if (status === undefined) throw cannot(thread, verb)
  return status
}

/** Call this before checking who holds the thread. */
export function mustBeWorkedOn(thread: Thread, verb: string): void {
  if (!isWorkedOn(thread)) throw cannot(thread, verb)
}

function cannot(thread: Thread, verb: string): Refusal {
  const { thread_id, status, kind } = thread
  const { leased } = KINDS[kind]
  const remedy = !leased
    ? sentence`only work can be worked on; see ${operation('show', { thread: thread_id })}`
    : isFinished(thread)
      ? sentence`start a new thread with ${operation('send')}`
      : sentence`claim it first with ${operation('claim', { thread: thread_id })}`
  const what = leased ? `it is ${status}` : `it is a thread of ${kind}`
  const said = sentence`cannot ${verb} thread ${thread_id}: ${what}; ${remedy}`
  return new Refusal('invalid_state', said, { thread_id, status })
}
