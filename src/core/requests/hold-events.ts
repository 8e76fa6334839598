// The events of a decision that does not count yet: it is held, and then made or taken back. The record of a request
// (request-record.ts) takes them in.

import { choice, ID, INSTANT, int, type Shape, word } from '../fact-shape.ts'
import type { ThreadRecord } from '../record.ts'
import type { Instant } from '../time.ts'
import type { HeldDecision, Request } from './request-record.ts'
import { DECISIONS, type Decision } from './request-status.ts'

export type HoldFacts =
  | {
      type: 'request_hold'
      move: Decision
      revision: number
      /** The moment from which it counts. */
      until: Instant
      payload_sha256: string
      held_message: string
    }
  | { type: 'request_undo'; revision: number }

export const SHA256: Shape<string> = word('a SHA-256', (digest) => /^[0-9a-f]{64}$/.test(digest))
export const REVISION = int({ min: 1 })

export const NOT_HELD: HeldDecision = {
  held_move: null,
  held_by: null,
  held_until: null,
  held_message: null,
  held_payload_sha256: null,
}

export const HOLD_EVENTS: ThreadRecord<Request, HoldFacts>['events'] = {
  request_hold: {
    // The words are bookkeeping until the decision counts: they are delivered to nobody.
    says: ['event'],
    facts: {
      move: choice(DECISIONS),
      revision: REVISION,
      until: INSTANT,
      payload_sha256: SHA256,
      held_message: ID,
    },
    changes: ({ move, until, payload_sha256, held_message }, { agent }) => ({
      held_move: move,
      held_by: agent,
      held_until: until,
      held_message,
      held_payload_sha256: payload_sha256,
    }),
  },
  request_undo: {
    by: 'anyone',
    facts: { revision: REVISION },
    changes: () => NOT_HELD,
  },
}
