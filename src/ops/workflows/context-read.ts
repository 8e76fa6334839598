import { markMessages } from '../inbox/mark-messages.ts'
import { flag, text } from '../kit/field.ts'
import { action } from '../kit/operation.ts'
import { CHANNEL_READER, CONTEXT_FIELDS, channelFor } from './instance-access.ts'
import { CHANNEL_PAGE, type ChannelPage, LIMIT, readChannel } from './read-channel.ts'

export const contextRead = action({
  name: 'workflow context read',
  example: 'workflow context read --agent coder@pr-123 --limit 20',
  summary: 'Read the channel of a workflow: the last entries, or those after a place.',
  about:
    'Reading changes nothing by itself. With --ack, mentions of the reader in these entries count as read once the answer is out.',
  fields: {
    ...CONTEXT_FIELDS,
    since: text('only entries after this one: an id, or a time', { max: 64 }),
    limit: LIMIT,
    ack: flag('mark the mentions of you in these entries as read'),
  },
  writes: 'marks',
  ...CHANNEL_READER,
  async run(context, input): Promise<ChannelPage> {
    const { agent, since, limit, ack = false } = input
    const instance = await channelFor(context, input)
    const read = await readChannel(context, instance, { since, limit })
    const { thread_id } = instance
    const shown = read.entries.map(({ id }) => ({ thread_id, message_id: id }))
    // Don't count entries as read until the answer has been delivered, because the reader may die first.
    const mark = () => context.store.write((tx) => markMessages(context, tx, agent, shown))
    if (ack && shown.length > 0) context.later(mark)
    return read
  },
  nothing: ({ entries }) => entries.length === 0,
  answer: CHANNEL_PAGE,
  lines: async (answer, page) => (await import('./drawing.ts')).drawChannel(answer, page),
  tool: {
    name: 'channel_read',
    does: 'Read the channel: the last entries, or those after since. ack marks your mentions in them as read.',
    args: {
      since: { about: 'id of an entry, or an ISO time' },
      limit: { about: 'at most' },
      ack: { about: 'true to mark the mentions shown as dealt with' },
    },
    shows: 'entries',
  },
})
