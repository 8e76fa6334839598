import { expect, test } from 'bun:test'
import {
  isResolved,
  REQUEST_STATUSES,
  type RequestMove,
  type RequestStatus,
  statusAfterMove,
} from './request-status.ts'

const MOVES: RequestMove[] = [
  ...(['approve', 'reject', 'request_revision', 'resubmit', 'cancel', 'expire'] as const),
]

/** The whole table, written out here and not taken from the source; a dash is a move that is refused. */
const TABLE: Record<RequestStatus, string> = {
  pending: 'approved rejected revision_requested - cancelled expired',
  revision_requested: 'approved rejected - pending cancelled expired',
  approved: '- - - - - -',
  rejected: '- - - - - -',
  cancelled: '- - - - - -',
  expired: '- - - - - -',
}

test.each(REQUEST_STATUSES)('every move of a request that is %s', (status) => {
  const led = MOVES.map((move) => statusAfterMove(status, move) ?? '-')
  expect(led.join(' ')).toBe(TABLE[status])
  expect(isResolved(status)).toBe(TABLE[status] === '- - - - - -')
})
