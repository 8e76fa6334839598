import { INTERRUPTED } from '../kit/answer.ts'
import { int } from '../kit/field.ts'
import { action } from '../kit/operation.ts'
import { secondsToWait } from '../kit/tool.ts'
import { describeWait } from '../kit/waiting.ts'
import { mailRead } from '../mail/mail-read.ts'
import { WAITING_LIMIT, WAITING_PAGE, type WaitingPage, waitingPage } from './entry-view.ts'
import { CHANNEL_READER, INBOX_OWNER, instanceFor, MEMBER_FIELD } from './instance-access.ts'

export const contextInbox = action({
  name: 'workflow context inbox',
  example: 'workflow context inbox --agent coder@pr-123',
  summary: 'Read the inbox of a workflow’s agent: unread mentions and mail.',
  about:
    'With a timeout, waits for something that was not shown yet. Messages that were shown come again until they are acknowledged. A message counts as presented once the answer is out.',
  fields: {
    agent: MEMBER_FIELD,
    limit: WAITING_LIMIT,
    timeout_seconds: int('wait this many seconds for something new', { max: 31_536_000 }),
  },
  writes: 'marks',
  ...INBOX_OWNER,
  blocks: true,
  refusals: [...CHANNEL_READER.refusals, 'forbidden'],
  async run(context, input): Promise<WaitingPage & { interrupted?: true }> {
    // The answer can take a while, so refuse nonmembers before waiting.
    const instance = await instanceFor(context, input)
    return waitingPage(await mailRead.run(context, input), instance)
  },
  nothing: ({ messages }) => messages.length === 0,
  takesLong: ({ timeout_seconds }, agent) =>
    timeout_seconds ? describeWait('mentions', agent) : undefined,
  answer: { ...WAITING_PAGE, interrupted: INTERRUPTED },
  lines: async (answer, page) => (await import('./drawing.ts')).drawWaiting(answer, page),
  tool: {
    name: 'inbox_check',
    does: 'Read your mentions and mail. They come again until inbox_ack. timeout_seconds waits for something new.',
    args: {
      timeout_seconds: { ...secondsToWait(0), about: 'wait until something arrives' },
      limit: { about: 'most messages', unlisted: true },
    },
    formerly: ['channel_mentions'],
    shows: 'messages',
  },
})
