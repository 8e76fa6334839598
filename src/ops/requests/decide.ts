// The one way to decide a request, under each of its names.

import { refuse } from '../../core/error.ts'
import { decide as decideRequest, mayDecide } from '../../core/requests/request.ts'
import { REQUESTS } from '../../core/requests/request-record.ts'
import type { Decision } from '../../core/requests/request-status.ts'
import { sentence } from '../../core/sentence.ts'
import { aNumber, aText, CURSOR, type HoldsOf } from '../kit/answer.ts'
import { body, id, int, required, self } from '../kit/field.ts'
import { type Context, commit, stamp } from '../kit/operation.ts'
import { subjectOf } from '../pushes/push.ts'
import { personDeciding, unknownRequest } from './request-view.ts'

export type DecisionAnswer = {
  request_id: string
  status: string
  revision: number
  payload_sha256: string
  decided_by: string
  decided_at: string
  next_event_id: number
}

export const DECIDED: HoldsOf<DecisionAnswer> = {
  request_id: aText('the request'),
  status: aText('its status now'),
  revision: aNumber('the revision that was decided'),
  payload_sha256: aText('the digest of what was decided on'),
  decided_by: aText('who decided'),
  decided_at: aText('when'),
  next_event_id: CURSOR,
}

export const DECISION_FIELDS = {
  agent: self('the person who decides', { leftOut: 'user' }),
  request: required(id('the request', { positional: true })),
  revision: required(int('the revision that you looked at', { min: 1 })),
  notes: body('what the requester is told'),
}

type DecisionInput = {
  agent?: string | undefined
  request: string
  revision: number
  notes?: string | undefined
  idempotency_key?: string | undefined
}

const SAID: Record<Decision, string> = {
  approve: 'approved',
  reject: 'rejected',
  request_revision: 'please revise it',
}

export async function decide(
  context: Context,
  op: string,
  move: Decision,
  input: DecisionInput,
): Promise<DecisionAnswer> {
  const by = personDeciding(context, input.agent)
  const { request: id, revision, notes = '' } = input
  return commit(context, { op, agent: by, input }, async (tx) => {
    const [locked, request, told] = await Promise.all([
      tx.lock(id),
      tx.rowOf(REQUESTS, id),
      tx.deliveriesOf({ thread_id: id }),
    ])
    if (locked === null || request === null) throw unknownRequest(id)
    if (!mayDecide(request, by)) {
      throw refuse(
        'forbidden',
        sentence`request ${id} is not for ${by} to decide: its policy is ${request.policy}`,
        { request_id: id, policy: request.policy },
      )
    }
    const words = {
      summary: subjectOf(notes === '' ? SAID[move] : notes, []),
      body: notes,
      payload_json: JSON.stringify({ decision: move, revision }),
      artifacts: [],
      in_reply_to: request.revision_message,
    }
    const people = [...new Set(told.map(({ recipient }) => recipient))]
    const event = decideRequest(
      locked.state,
      request,
      { move, by, revision, words, told: people },
      stamp(context, locked.now, words),
    )
    tx.record(locked.state, event)
    const { payload_sha256 } = request
    const status = {
      approve: 'approved',
      reject: 'rejected',
      request_revision: 'revision_requested',
    }
    return {
      request_id: id,
      status: status[move],
      revision,
      payload_sha256,
      decided_by: by,
      decided_at: locked.now,
    }
  })
}
