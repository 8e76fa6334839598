// The shapes that several events of requests share, and what every outcome of a request changes.

import { absentOr, FLAG, ID, int, listOf, RECIPIENT, type Shape, word } from '../fact-shape.ts'
import type { Instant } from '../time.ts'
import { isResolved, type RequestStatus } from './request-status.ts'

/** Ends a request, or hands it back. The deliveries of all whom it settles are over. */
export type EndFacts = {
  recipients: string[]
  settles: string[]
  revision: number
  decision_message: string
  /** A service decided, and not the person or agent of its name. */
  by_service?: boolean
}

export const SHA256: Shape<string> = word('a SHA-256', (digest) => /^[0-9a-f]{64}$/.test(digest))
export const REVISION = int({ min: 1 })

export const VERDICT = {
  recipients: listOf(RECIPIENT, 0),
  settles: listOf(RECIPIENT, 0),
  revision: REVISION,
  decision_message: ID,
  by_service: absentOr(FLAG),
}

/** No decision is held. */
export const NOT_HELD = {
  held_move: null,
  held_by: null,
  held_until: null,
  held_message: null,
  held_payload_sha256: null,
}

/** The fields that every decision changes. Time does no more to a request that is over. */
export function decided(status: RequestStatus, decision_message: string, by: string, at: Instant) {
  const decision = { status, decided_by: by, decided_at: at, decision_message, ...NOT_HELD }
  return isResolved(status)
    ? { ...decision, is_open: false, lapses_at: null, remind_at: null }
    : { ...decision, is_open: true }
}
