import { ENTRY_LETTERS } from '../../core/workflows/channel.ts'
import { NOT_WOKEN } from '../inbox/not-woken.ts'
import { type AnswerOf, aList, aNumber, aText, CURSOR, maybe } from '../kit/answer.ts'
import { commit } from '../kit/commit.ts'
import { body, id, required, text } from '../kit/field.ts'
import { mutation } from '../kit/operation.ts'
import { CHANNEL_READER, CONTEXT_FIELDS, channelFor, instanceNamed } from './instance-access.ts'
import { sayEntry, withRest } from './say-entry.ts'

const SENT = {
  id: aText("the entry's id"),
  instance: aText('the instance'),
  thread_id: aText('its channel'),
  seq: aNumber('its place in the channel, from 1'),
  timestamp: aText('when it was said'),
  mentions: aList(aText('a name'), 'who it mentions'),
  not_woken: NOT_WOKEN,
  warning: maybe(aText('set if the text mentions a name that no one here has')),
  next_event_id: CURSOR,
}

export type SentEntry = AnswerOf<typeof SENT>

export const contextSend = mutation({
  name: 'workflow context send',
  example: 'workflow context send "Done, @reviewer please look" --agent coder@pr-123',
  summary: 'Say something in the channel of a workflow; @NAME tells that agent.',
  about:
    'The entry is for all that take part, and whoever it mentions finds it in the inbox; @user is the person. No one is mentioned twice, or by themselves. Only an answer by --reply-to counts as acting on a mention. The rest of a text over 8,000 letters becomes a document, which the entry names.',
  fields: {
    ...CONTEXT_FIELDS,
    message: required(body('what to say', { positional: true })),
    to: text('names that it is for besides those in the text, separated by commas', {
      max: 4096,
    }),
    reply_to: id('the entry that this answers'),
  },
  ...CHANNEL_READER,
  refusals: [...CHANNEL_READER.refusals, 'forbidden'],
  async run(context, input): Promise<SentEntry> {
    const { agent: from, message, reply_to: replyTo } = input
    const instance = instanceNamed(input)
    const to = input.to?.split(',').flatMap((name) => name.trim() || [])
    const call = { op: 'workflow context send', agent: from, input }
    const say = (shown?: string) =>
      commit(context, call, async (tx) => {
        const wish = { instance, from, text: message, replyTo, to, shown }
        const { said, notes } = await sayEntry(context, tx, wish)
        const { id, seq, timestamp, mentions } = said.entry
        return { id, instance, thread_id: said.thread_id, seq, timestamp, mentions, ...notes }
      })
    if (message.length <= ENTRY_LETTERS) return say()
    const found = await channelFor(context, input)
    return withRest(context, { call, instance: found, from, text: message }, say)
  },
  answer: SENT,
  lines: async (answer, page) => (await import('./drawing.ts')).drawSent(answer, page),
  tool: {
    name: 'channel_send',
    does: 'Say something to the others. @NAME tells that agent, @user the person. reply_to answers a message by its id.',
    args: {
      message: { about: 'text with @mentions', required: true },
      to: { about: 'more names, with commas' },
      reply_to: { about: 'id of the message you answer' },
    },
    says: 'sent',
  },
})
