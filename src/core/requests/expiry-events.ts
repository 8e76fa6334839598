// The events that time alone brings about in a request (request-expiry.ts). The record of a request (request-record.ts)
// takes them in.

import { listOf, PERSON, RECIPIENT } from '../fact-shape.ts'
import type { ThreadRecord } from '../record.ts'
import type { Request } from './request-record.ts'
import { decided, type EndFacts, REVISION, VERDICT } from './request-shapes.ts'

export type ExpiryFacts =
  | { type: 'request_remind'; recipients: string[]; revision: number }
  | {
      type: 'request_escalate'
      recipients: string[]
      revision: number
      /** The person who is asked from now on; empty for all people. */
      asked: string
      /** The people who may decide from now on, where the policy names them. */
      deciders: string[]
    }
  | ({ type: 'request_expire' } & EndFacts)

export const EXPIRY_EVENTS: ThreadRecord<Request, ExpiryFacts>['events'] = {
  request_remind: {
    by: 'system',
    says: ['question'],
    facts: { recipients: listOf(RECIPIENT, 0), revision: REVISION },
    changes: () => ({ remind_at: null }),
  },
  request_escalate: {
    by: 'system',
    says: ['question'],
    facts: {
      recipients: listOf(RECIPIENT, 0),
      revision: REVISION,
      asked: { is: 'name', orEmpty: true },
      deciders: listOf(PERSON, 0),
    },
    // The people to whom it was escalated were told just now, and need no reminder.
    changes: ({ asked, deciders }, { at }) => ({
      recipient: asked,
      deciders,
      escalated_at: at,
      lapses_at: null,
      remind_at: null,
    }),
  },
  request_expire: {
    by: 'system',
    says: ['answer'],
    facts: VERDICT,
    changes: ({ decision_message }, { agent, at }) =>
      decided('expired', decision_message, agent, at),
  },
}
