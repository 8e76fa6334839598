import { expect, test } from 'bun:test'
import {
  isResolved,
  outcomeOf,
  REQUEST_STATUSES,
  type RequestMove,
  type RequestStatus,
  statusAfterMove,
} from './request-status.ts'

const MOVES: RequestMove[] = [
  'approve',
  'reject',
  'request_revision',
  'resubmit',
  'cancel',
  'expire',
]

/** The whole table, written out here instead of taken from the source; a dash is a move that is refused. */
const TABLE: Record<RequestStatus, string> = {
  pending: 'approved rejected revision_requested - cancelled expired',
  revision_requested: 'approved rejected - pending cancelled expired',
  approved: '- - - - - -',
  rejected: '- - - - - -',
  cancelled: '- - - - - -',
  expired: '- - - - - -',
}

test.each(REQUEST_STATUSES)('moves of a request that is %s', (status) => {
  const led = MOVES.map((move) => statusAfterMove(status, move) ?? '-')
  expect(led.join(' ')).toBe(TABLE[status])
  expect(isResolved(status)).toBe(TABLE[status] === '- - - - - -')
})

test('describes the outcome of a request, without a person or time it doesn’t know', () => {
  const [decided_at, decided_by] = ['2026-03-01T12:00:00.000Z', 'ann']
  expect(outcomeOf({ status: 'expired', decided_at: null, decided_by: null })).toBe('expired')
  expect(outcomeOf({ status: 'cancelled', decided_at, decided_by: null })).toBe(
    `was cancelled at ${decided_at}`,
  )
  expect(outcomeOf({ status: 'revision_requested', decided_at, decided_by })).toBe(
    `was sent back for a revision at ${decided_at} by ann`,
  )
})
