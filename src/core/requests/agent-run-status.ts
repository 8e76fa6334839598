// The statuses of an agent run, and all that can happen to it. The table is total: a move that a status does not name
// is refused. docs/requests.md shows it whole.

import type { RequestMove } from './request-status.ts'

export const AGENT_RUN_MOVES = {
  // A review that was handed back is decided while its run goes on, so a run may be resumed that runs.
  running: { review: 'paused', resume: 'running', cancel: 'cancelled', end: 'ended' },
  paused: { review: 'paused', resume: 'running', cancel: 'cancelled', end: 'ended' },
  cancelled: {},
  ended: {},
} as const

export type AgentRunStatus = keyof typeof AGENT_RUN_MOVES
export type AgentRunMove = 'review' | 'resume' | 'cancel' | 'end'

export const AGENT_RUN_STATUSES = Object.keys(AGENT_RUN_MOVES) as AgentRunStatus[]

/** The status that the move leads to; undefined when it is not legal. */
export function runAfterMove(
  status: AgentRunStatus,
  move: AgentRunMove,
): AgentRunStatus | undefined {
  const moves: Partial<Record<AgentRunMove, AgentRunStatus>> = AGENT_RUN_MOVES[status]
  return moves[move]
}

/** Whether nothing can change the run any more. */
export function isRunOver(status: AgentRunStatus): boolean {
  return Object.keys(AGENT_RUN_MOVES[status]).length === 0
}

/**
 * How a move of the review moves the run. Only an approval allows the agent to do what it asked for. If a review is
 * handed back, withdrawn or never answered, the run also continues, because the agent must be notified; a rejection
 * ends the run.
 */
export const RUN_MOVE_OF = {
  approve: 'resume',
  reject: 'cancel',
  request_revision: 'resume',
  resubmit: 'review',
  cancel: 'resume',
  expire: 'resume',
} as const satisfies Record<RequestMove, AgentRunMove>
