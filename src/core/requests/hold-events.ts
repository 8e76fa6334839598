// The events of a decision that does not count yet: it is held, and then made or taken back. The record of a request
// (request-record.ts) takes them in.

import { choice, ID, INSTANT } from '../fact-shape.ts'
import type { ThreadRecord } from '../record.ts'
import type { Instant } from '../time.ts'
import type { Request } from './request-record.ts'
import { NOT_HELD, REVISION, SHA256 } from './request-shapes.ts'
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
