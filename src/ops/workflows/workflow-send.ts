import { USER } from '../../core/agents/agent.ts'
import { field, refuse } from '../../core/error.ts'
import type { Tx } from '../../core/store.ts'
import { ENTRY_LETTERS } from '../../core/workflows/channel.ts'
import type { HeldInstance, Member } from '../../core/workflows/instance.ts'
import { mentionsIn } from '../../core/workflows/mentions.ts'
import { NOT_WOKEN } from '../inbox/not-woken.ts'
import { type AnswerOf, aList, aText, CURSOR, maybe } from '../kit/answer.ts'
import { commit } from '../kit/commit.ts'
import { address, body, required, self } from '../kit/field.ts'
import { ANYONE, type Context, mutation } from '../kit/operation.ts'
import { dispatch } from '../mail/mail-send.ts'
import { sayEntry, withRest } from './say-entry.ts'
import { targetFor, targetName, type WorkflowTarget } from './target.ts'

const SENT = {
  instance: aText('the instance'),
  recipients: aList(aText('a name'), 'the recipients'),
  by: aText<'channel' | 'mail'>('channel, or mail for an agent without one'),
  messages: aList(aText('an id'), 'the entry, or the messages'),
  thread_id: aText('the channel, or the thread of the first message'),
  not_woken: NOT_WOKEN,
  warning: maybe(aText('set if the text mentions someone who is not in the workflow')),
  next_event_id: CURSOR,
}

export type SentToWorkflow = AnswerOf<typeof SENT>

export const workflowSend = mutation({
  name: 'workflow send',
  example: 'workflow send "Go on" --to @pr-123',
  summary: 'Send a message to a running agent or workflow.',
  about:
    'The message becomes an entry in the channel, which all agents of the workflow can read, addressed to the agent named with --to. If --to is a whole workflow, it is addressed to the agents that the text mentions as @NAME or, if it mentions none, to all of them. An agent without a channel gets it as mail.',
  fields: {
    from: self('who is writing', { leftOut: USER }),
    message: required(body('what to say', { positional: true })),
    to: address('NAME, NAME@INSTANCE or @INSTANCE', { leftOut: 'the only one running' }),
  },
  set: 'workflow',
  callers: ANYONE,
  refusals: ['invalid_input', 'invalid_state', 'not_found', 'forbidden'],
  check({ message }) {
    if (message.trim() !== '') return
    throw refuse.invalid_input`${field('message')} is empty: say something`
  },
  async run(context, input): Promise<SentToWorkflow> {
    const { from = USER, message, to } = input
    const target = await targetFor(context, to, 'to')
    const members = addressees(target, message, to !== undefined)
    const { instance } = target
    const call = { op: 'workflow send', agent: from, input }
    const say = (shown?: string) =>
      commit(context, call, (tx) =>
        instance.thread_id === ''
          ? byMail(context, tx, { instance, from, message, members })
          : inChannel(context, tx, { instance, from, message, members, shown }),
      )
    const isLong = message.length > ENTRY_LETTERS && instance.thread_id !== ''
    if (!isLong) return say()
    return withRest(context, { call, instance, from, text: message }, say)
  },
  answer: SENT,
  lines: async (answer, page) => (await import('./drawing.ts')).drawSentToWorkflow(answer, page),
})

type SentWords = Omit<SentToWorkflow, 'next_event_id'>
type Utterance = {
  instance: HeldInstance
  from: string
  message: string
  members: Member[]
  shown?: string | undefined
}

function addressees(
  { instance, members, isWhole }: WorkflowTarget,
  text: string,
  isNamed: boolean,
) {
  if (!isWhole || members.length === 1) return members
  const names = members.map(({ name }) => name)
  const mentioned = mentionsIn(text, { names: [...names, USER] })
  if (mentioned.length > 0) return members.filter(({ name }) => mentioned.includes(name))
  if (isNamed) return members
  const ids = members.map(({ agent_id }) => agent_id).join(', ')
  throw refuse.invalid_input`${field('to')} is missing, and ${targetName(instance)} has several agents: ${ids}; name one, or mention one in the text`
}

async function inChannel(
  context: Context,
  tx: Tx,
  { instance: { instance }, from, message: text, members, shown }: Utterance,
): Promise<SentWords> {
  const to = members.map(({ name }) => name)
  const { said, notes } = await sayEntry(context, tx, { instance, from, text, to, shown })
  const { entry, thread_id, recipients } = said
  return { instance, recipients, by: 'channel', messages: [entry.id], thread_id, ...notes }
}

async function byMail(
  context: Context,
  tx: Tx,
  { instance: { instance }, from, message, members }: Utterance,
): Promise<SentWords> {
  const recipients = members.map(({ agent_id }) => agent_id)
  const sent = []
  for (const to of recipients) sent.push(await dispatch(context, tx, { from, to, body: message }))
  const messages = sent.map(({ message: { id } }) => id)
  const thread_id = sent[0]?.message.thread_id ?? ''
  const not_woken = sent.flatMap((one) => one.not_woken ?? [])
  const notes = not_woken.length === 0 ? {} : { not_woken }
  return { instance, recipients, by: 'mail', messages, thread_id, ...notes }
}
