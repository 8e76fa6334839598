import { field, refuse } from '../../core/error.ts'
import { firstLine } from '../../core/threads/message.ts'
import { type AnswerOf, aText } from '../kit/answer.ts'
import { body, id, required, self } from '../kit/field.ts'
import { ANYONE, type Context, mutation } from '../kit/operation.ts'
import { PUSHED, send } from './push.ts'
import { senderOf } from './push-origin.ts'

const NOTIFY_ANSWER = { ...PUSHED, deprecated: aText('what to use instead') }

export type NotifyAnswer = AnswerOf<typeof NOTIFY_ANSWER>

const instead = ({ door }: Pick<Context, 'door'>) =>
  `notify is kept for older automation; use ${door === 'mcp' ? 'inbox_push' : 'push'}, which can point at live documents`

export const notify = mutation({
  name: 'notify',
  isDeprecated: true,
  example: 'notify --message "The build is done" --agent worker',
  summary: 'Deprecated: show a person some text. Use push instead.',
  about:
    'For older automation. Makes a push with only comments, marked as a notification; push history --form notification lists these. A reply goes to the agent that sent it.',
  fields: {
    agent: self('the agent that notifies', { leftOut: "the workspace's own agent" }),
    workspace: id('the workspace it comes from', { leftOut: 'the one you are in' }),
    message: required(body('the text')),
  },
  set: 'workspace',
  callers: ANYONE,
  refusals: ['invalid_input', 'not_found', 'forbidden'],
  check({ message }) {
    if (message.trim() === '')
      throw refuse.invalid_input`${field('message')} is empty: say something`
  },
  async run(context, input): Promise<NotifyAnswer> {
    const { message } = input
    const sender = await senderOf(context, input)
    const words = { summary: firstLine(message), body: message }
    const pushed = await send(context, { op: 'notify', sender, form: 'notification', words, input })
    return { ...pushed, deprecated: instead(context) }
  },
  answer: NOTIFY_ANSWER,
  lines: ({ entry_id, deprecated }, { ink }) => `${entry_id}\n${ink.dim(`${deprecated}\n`)}`,
  tool: {
    name: 'notify_user',
    isOld: true,
    does: 'Deprecated, for older automation: use inbox_push. Shows the user fixed text.',
    args: { message: { required: true, about: 'the text' } },
  },
})
