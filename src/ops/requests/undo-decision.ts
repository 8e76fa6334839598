import { undo } from '../../core/requests/request-hold.ts'
import type { RequestStatus } from '../../core/requests/request-status.ts'
import { aNumber, aText, CURSOR } from '../kit/answer.ts'
import { commit } from '../kit/commit.ts'
import { id, required, self } from '../kit/field.ts'
import { mutation, OPERATORS } from '../kit/operation.ts'
import { lockRequest } from './due-decisions.ts'
import { deciderOf } from './request-view.ts'

export const undoDecision = mutation({
  name: 'undo-decision',
  example: 'undo-decision r4t8zw',
  summary: 'Take back your decision during its grace period.',
  about:
    'A decision with --grace-seconds takes effect only after that time. Until then the person who made it can take it back, which leaves the request as it was before.',
  fields: {
    agent: self('the person who decided', { leftOut: 'user' }),
    request: required(id('the request', { positional: true })),
  },
  set: 'requests',
  callers: OPERATORS,
  decides: true,
  refusals: ['invalid_input', 'invalid_state', 'not_found', 'forbidden'],
  async run(context, input) {
    const { name: by } = deciderOf(context, input.agent)
    const { request: id } = input
    return commit(context, { op: 'undo-decision', agent: by, input }, async (tx) => {
      const { locked, request } = await lockRequest(tx, id)
      tx.record(
        locked.state,
        undo(locked.state, request, { name: by, isSystem: false }, locked.now),
      )
      return { request_id: id, status: request.status, revision: request.revision }
    })
  },
  answer: {
    request_id: aText('the request'),
    status: aText<RequestStatus>('its status, the same as before the decision'),
    revision: aNumber('its revision'),
    next_event_id: CURSOR,
  },
  lines: async ({ request_id, status }, page) =>
    `${(await import('../kit/drawing/page.ts')).idIn(request_id, page)} is ${status}\n`,
})
