import { query } from '../kit/operation.ts'
import { CHANNEL_READER, CONTEXT_FIELDS, channelFor } from './instance-access.ts'
import { CHANNEL_PAGE, type ChannelPage, LIMIT, readChannel } from './read-channel.ts'

export const contextPeek = query({
  name: 'workflow context peek',
  example: 'workflow context peek --agent coder@pr-123',
  summary: 'Look at the last entries of a channel. Changes nothing.',
  fields: { ...CONTEXT_FIELDS, limit: LIMIT },
  ...CHANNEL_READER,
  async run(context, input): Promise<ChannelPage> {
    const instance = await channelFor(context, input)
    return readChannel(context, instance, { limit: input.limit })
  },
  answer: CHANNEL_PAGE,
  lines: async (answer, page) => (await import('./drawing.ts')).drawChannel(answer, page),
  tool: {
    name: 'channel_peek',
    does: 'Look at the last entries of the channel without changing anything.',
    args: { limit: { about: 'at most' } },
    shows: 'entries',
  },
})
