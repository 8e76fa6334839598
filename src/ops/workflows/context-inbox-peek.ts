import { query } from '../kit/operation.ts'
import { mailPeek } from '../mail/mail-peek.ts'
import { WAITING_LIMIT, WAITING_PAGE, type WaitingPage, waitingPage } from './entry-view.ts'
import { INBOX_OWNER, instanceFor, MEMBER_FIELD } from './instance-access.ts'

export const contextInboxPeek = query({
  name: 'workflow context inbox-peek',
  example: 'workflow context inbox-peek --agent coder@pr-123',
  summary: 'Look at the inbox of a workflow’s agent. Changes nothing.',
  fields: { agent: MEMBER_FIELD, limit: WAITING_LIMIT },
  ...INBOX_OWNER,
  async run(context, input): Promise<WaitingPage> {
    const instance = await instanceFor(context, input)
    return waitingPage(await mailPeek.run(context, input), instance)
  },
  nothing: ({ messages }) => messages.length === 0,
  answer: WAITING_PAGE,
  lines: async (answer, page) => (await import('./drawing.ts')).drawWaiting(answer, page),
  tool: {
    name: 'inbox_peek',
    does: 'Look at your mentions and mail without changing anything.',
    args: { limit: { about: 'at most', unlisted: true } },
    shows: 'messages',
  },
})
