// An agent run pauses for a review by people and continues according to their decision.
//
// (1) The first review begins the run. Every review pauses it, in the same event that makes the review's request.
// (2) A run has one review at a time. A later review replaces the earlier one, whose request is canceled.
// (3) No matter how often an agent submits a review under the same name, it is submitted only once.
// (4) A decision moves the run in the same transaction (RUN_MOVE_OF). A decision on a stale review is refused.

import { operation, Refusal, refuse, sentence } from '../error.ts'
import { type AgentRun, type AgentRunFacts, isPresentReview } from './agent-run-record.ts'
import { isRunOver, RUN_MOVE_OF } from './agent-run-status.ts'
import type { Request } from './request-record.ts'
import { type RequestMove, statusAfterMove } from './request-status.ts'
import { isUnrouted, type RouteEnd } from './review-route.ts'

/** The most characters in a review's title before reviewTitle adds its prefix. */
export const LONGEST_REVIEW_TITLE = 160

export function reviewTitle(title: string, routing: RouteEnd): string {
  return `Workspace review${isUnrouted(routing) ? ' (unrouted)' : ''}: ${title}`
}

/** Moves that are legal only for the review the run is waiting for. */
const BOUND: readonly RequestMove[] = ['approve', 'reject', 'request_revision', 'resubmit']

/** Refuses a decision on a review that isn't the run's current one. Withdrawing is always allowed. */
export function mustBePresent(run: AgentRun, { thread_id: id }: Request, move: RequestMove): void {
  if (isPresentReview(run, id) || !BOUND.includes(move)) return
  throw staleReview(run, id)
}

export function staleReview(run: AgentRun, requestId: string): Refusal {
  const { agent_run_id, status, review_id, request_id } = run
  const why = isRunOver(status)
    ? `its agent run ${agent_run_id} is ${status}`
    : `agent run ${agent_run_id} waits for review ${review_id}`
  const remedy = isRunOver(status)
    ? operation('agent runs')
    : operation('request get', { request: request_id })
  return new Refusal(
    'invalid_state',
    sentence`request ${requestId} is a stale review: ${why}; see ${remedy}`,
    { request_id: requestId, agent_run_id, status, review_id },
  )
}

/** The run's event that follows from a decision on its current review; null if the review is stale. */
export function moveAgentRun(
  run: AgentRun,
  { thread_id, status }: Request,
  move: Exclude<RequestMove, 'resubmit'>,
  response_message: string,
): AgentRunFacts | null {
  if (!isPresentReview(run, thread_id)) return null
  const { agent_run_id, agent_id } = run
  const of = { agent_run_id, agent_id, response_message }
  if (RUN_MOVE_OF[move] === 'cancel') return { type: 'agent_run_cancel', ...of }
  const review_status = statusAfterMove(status, move) ?? status
  return { type: 'agent_run_resume', ...of, review_status }
}

/** Refuses to pause or end a run that is already over. */
export function mustBeOpen({ agent_run_id, status }: AgentRun): void {
  if (!isRunOver(status)) return
  throw refuse.invalid_state`agent run ${{ agent_run_id }} is ${{ status }}; see ${operation('agent runs')}, or begin another with ${operation('request review')}`
}
