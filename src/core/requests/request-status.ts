// The statuses of a request and its moves. The table is complete: a move not listed for a status is refused.
// docs/requests.md shows the whole table.

export const REQUEST_MOVES = {
  pending: {
    approve: 'approved',
    reject: 'rejected',
    request_revision: 'revision_requested',
    cancel: 'cancelled',
    expire: 'expired',
  },
  revision_requested: {
    resubmit: 'pending',
    approve: 'approved',
    reject: 'rejected',
    cancel: 'cancelled',
    expire: 'expired',
  },
  approved: {},
  rejected: {},
  cancelled: {},
  expired: {},
} as const

export type RequestStatus = keyof typeof REQUEST_MOVES
export type RequestMove =
  | 'approve'
  | 'reject'
  | 'request_revision'
  | 'resubmit'
  | 'cancel'
  | 'expire'
/** Moves that only someone who may decide can make. */
export const DECISIONS = ['approve', 'reject', 'request_revision'] as const
export type Decision = (typeof DECISIONS)[number]

export const REQUEST_STATUSES = Object.keys(REQUEST_MOVES) as RequestStatus[]

/** The status the move leads to; undefined if the move is not legal. */
export function statusAfterMove(
  status: RequestStatus,
  move: RequestMove,
): RequestStatus | undefined {
  const moves: Partial<Record<RequestMove, RequestStatus>> = REQUEST_MOVES[status]
  return moves[move]
}

/** Whether the request can't change anymore. It can still be commented on. */
export function isResolved(status: RequestStatus): boolean {
  return Object.keys(REQUEST_MOVES[status]).length === 0
}

const OUTCOMES: Record<RequestStatus, string> = {
  pending: 'is pending',
  revision_requested: 'was sent back for a revision',
  approved: 'was approved',
  rejected: 'was rejected',
  cancelled: 'was cancelled',
  expired: 'expired',
}

/** Completes a sentence about a request: its outcome, with the time and person if known. An expiry has no person. */
export function outcomeOf(request: {
  status: RequestStatus
  decided_at: string | null
  decided_by: string | null
}): string {
  const { status, decided_at: at, decided_by: by } = request
  return `${OUTCOMES[status]}${at === null ? '' : ` at ${at}`}${by === null ? '' : ` by ${by}`}`
}
