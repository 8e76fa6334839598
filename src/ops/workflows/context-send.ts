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
  timestamp: aText('when it was written'),
  mentions: aList(aText('a name'), 'the names it mentions'),
  not_woken: NOT_WOKEN,
  warning: maybe(aText('set if the text mentions someone who is not in the workflow')),
  next_event_id: CURSOR,
}

export type SentEntry = AnswerOf<typeof SENT>

export const contextSend = mutation({
  name: 'workflow context send',
  example: 'workflow context send "Done, @reviewer please look" --agent coder@pr-123',
  summary: 'Write in the channel of a workflow. @NAME notifies that agent.',
  about:
    'All members can read the entry, and those it mentions get it in their inbox; @user is the person. A member mentioned twice gets it once, and mentioning yourself has no effect. Only a reply with --reply-to counts as acting on a mention. The rest of a text over 8,000 characters becomes a document, which the entry names.',
  fields: {
    ...CONTEXT_FIELDS,
    message: required(body('what to say', { positional: true })),
    to: text('further names it is for, besides those in the text, separated by commas', {
      max: 4096,
    }),
    reply_to: id('the entry this answers'),
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
    does: 'Write to the others. @NAME notifies that agent, @user the person. reply_to answers a message by its id.',
    args: {
      message: { about: 'text with @mentions', required: true },
      to: { about: 'more names, with commas' },
      reply_to: { about: 'id of the message you answer' },
    },
    says: 'sent',
  },
})
