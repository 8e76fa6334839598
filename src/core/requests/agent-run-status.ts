// The statuses of an agent run and its moves. The table is complete: a move not listed for a status is refused.
// docs/requests.md shows the whole table.

import type { RequestMove } from './request-status.ts'

export const AGENT_RUN_MOVES = {
  // A review that was sent back can be decided while its run continues, so a running run can be resumed.
  running: { review: 'paused', resume: 'running', cancel: 'cancelled', end: 'ended' },
  paused: { review: 'paused', resume: 'running', cancel: 'cancelled', end: 'ended' },
  cancelled: {},
  ended: {},
} as const

export type AgentRunStatus = keyof typeof AGENT_RUN_MOVES
export type AgentRunMove = 'review' | 'resume' | 'cancel' | 'end'

export const AGENT_RUN_STATUSES = Object.keys(AGENT_RUN_MOVES) as AgentRunStatus[]

/** The status the move leads to; undefined if the move is not legal. */
export function runAfterMove(
  status: AgentRunStatus,
  move: AgentRunMove,
): AgentRunStatus | undefined {
  const moves: Partial<Record<AgentRunMove, AgentRunStatus>> = AGENT_RUN_MOVES[status]
  return moves[move]
}

/** Whether the run can't change anymore. */
export function isRunOver(status: AgentRunStatus): boolean {
  return Object.keys(AGENT_RUN_MOVES[status]).length === 0
}

/**
 * The run's move that follows each move of its review. Only an approval lets the agent do what it asked for. If a
 * review is sent back, withdrawn or never answered, the run also continues, because the agent has to be notified. A
 * rejection ends the run.
 */
export const RUN_MOVE_OF = {
  approve: 'resume',
  reject: 'cancel',
  request_revision: 'resume',
  resubmit: 'review',
  cancel: 'resume',
  expire: 'resume',
} as const satisfies Record<RequestMove, AgentRunMove>
