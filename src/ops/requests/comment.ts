import { USER } from '../../core/agents/agent.ts'
import { field, refuse } from '../../core/error.ts'
import { postIn } from '../../core/mail/mail.ts'
import { hearersOf } from '../../core/requests/hearers.ts'
import { REQUESTS } from '../../core/requests/request-record.ts'
import { firstLine } from '../../core/threads/message.ts'
import { introduceAll } from '../agents/introduce.ts'
import { sees } from '../inbox/visible-thread.ts'
import { aText, CURSOR } from '../kit/answer.ts'
import { commit, stamp } from '../kit/commit.ts'
import { body, id, required, self } from '../kit/field.ts'
import { ANYONE, mutation } from '../kit/operation.ts'
import { unknownRequest, viewerOf } from './request-view.ts'

export const comment = mutation({
  name: 'comment',
  example: 'comment r4t8zw "Which branch?"',
  summary: 'Comment on a request, at any time.',
  about:
    'Comments by people go to the requester, and the requester’s comments to the people. A comment does not decide the request.',
  fields: {
    agent: self('who is commenting', { leftOut: 'user' }),
    request: required(id('the request', { positional: true })),
    body: required(body('the comment', { positional: true })),
  },
  set: 'requests',
  callers: ANYONE,
  refusals: ['invalid_input', 'not_found', 'forbidden'],
  check(input) {
    if (input.body.trim() === '')
      throw refuse.invalid_input`${field('body')} is empty: say something`
  },
  async run(context, input) {
    const { request: id } = input
    const viewer = viewerOf(context, input.agent)
    const from = viewer.kind === 'system' ? USER : viewer.name
    return commit(context, { op: 'comment', agent: from, input }, async (tx) => {
      const [locked, request, people] = await Promise.all([
        tx.lock(id),
        tx.rowOf(REQUESTS, id),
        tx.people(),
      ])
      if (locked === null || request === null) throw unknownRequest(id)
      if (!(await sees(tx, viewer, locked.state.thread))) throw unknownRequest(id)
      // Registers the service's name so that agents can reply to it.
      await introduceAll(tx, [from], { by: from, now: locked.now })
      const words = {
        summary: firstLine(input.body),
        body: input.body,
        in_reply_to: request.revision_message,
      }
      const posting = {
        from,
        ...hearersOf(request, people, from),
        kind: 'answer',
        words,
        expires_at: null,
      } as const
      const event = postIn(locked.state, posting, stamp(context, locked.now))
      tx.record(locked.state, event)
      return { request_id: id, message_id: event.message.message_id }
    })
  },
  answer: {
    request_id: aText('the request'),
    message_id: aText('the comment'),
    next_event_id: CURSOR,
  },
  lines: async ({ message_id }, page) => {
    const { drawMade } = await import('../kit/drawing/page.ts')
    return drawMade(message_id, page, (id) => `said, as message ${id}`)
  },
  tool: {
    name: 'request_comment',
    does: 'Comment on one of your requests, for example to answer a comment.',
    args: {
      request: { required: true, about: 'its id' },
      body: { required: true, about: 'Markdown' },
    },
  },
})
