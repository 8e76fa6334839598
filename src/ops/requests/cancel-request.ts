import { isPerson } from '../../core/agents/agent.ts'
import { aText, CURSOR } from '../kit/answer.ts'
import { commit } from '../kit/commit.ts'
import { id, required, self, text } from '../kit/field.ts'
import { ANYONE, mutation } from '../kit/operation.ts'
import { lockRequest } from './due-decisions.ts'
import { recordCancel } from './outcome.ts'
import { unknownRequest } from './request-view.ts'

export const cancelRequest = mutation({
  name: 'cancel-request',
  example: 'cancel-request r4t8zw --agent worker',
  summary: 'Withdraw a request that no longer needs a decision.',
  fields: {
    agent: required(self('the requester, or a person acting for it')),
    request: required(id('the request', { positional: true })),
    reason: text('why', { leftOut: 'cancelled' }),
  },
  set: 'requests',
  callers: ANYONE,
  refusals: ['invalid_input', 'invalid_state', 'not_found', 'forbidden'],
  async run(context, input) {
    const { agent: by, request: id, reason = 'cancelled' } = input
    return commit(context, { op: 'cancel-request', agent: by, input }, async (tx) => {
      const held = await lockRequest(tx, id)
      // To other agents, the request doesn't exist.
      if (by !== held.request.requester && !isPerson(by)) throw unknownRequest(id)
      await recordCancel(context, tx, held, { by, said: reason })
      return { request_id: id, status: 'cancelled' }
    })
  },
  answer: {
    request_id: aText('the request'),
    status: aText('cancelled'),
    next_event_id: CURSOR,
  },
  lines: async ({ request_id }, page) =>
    `${(await import('../kit/drawing/page.ts')).idIn(request_id, page)} is cancelled\n`,
  tool: {
    name: 'request_cancel',
    does: 'Withdraw one of your requests that no longer needs a decision.',
    args: { request: { required: true, about: 'its id' }, reason: { about: 'why' } },
  },
})
