import { required, self } from '../kit/field.ts'
import { ANYONE, query } from '../kit/operation.ts'
import { mailPeek } from '../mail/mail-peek.ts'
import { WAITING_LIMIT, WAITING_PAGE, type WaitingPage, waitingPage } from './entry-view.ts'
import { instanceFor, mustBeOfWorkflow } from './instance-access.ts'

export const contextInboxPeek = query({
  name: 'workflow context inbox-peek',
  example: 'workflow context inbox-peek --agent coder@pr-123',
  summary: 'Look at what is for an agent of a workflow. Changes nothing.',
  fields: { agent: required(self('the agent, as NAME@INSTANCE')), limit: WAITING_LIMIT },
  set: 'workflow',
  callers: ANYONE,
  refusals: ['invalid_input', 'not_found', 'forbidden'],
  check: mustBeOfWorkflow,
  async run(context, input): Promise<WaitingPage> {
    const instance = await instanceFor(context, input)
    return waitingPage(await mailPeek.run(context, input), instance)
  },
  nothing: ({ messages }) => messages.length === 0,
  answer: WAITING_PAGE,
  lines: async (answer, page) => (await import('./drawing.ts')).drawWaiting(answer, page),
  tool: {
    name: 'inbox_peek',
    does: 'Look at what is for you, and change nothing.',
    args: { limit: { about: 'at most', unlisted: true } },
    shows: 'messages',
  },
})
