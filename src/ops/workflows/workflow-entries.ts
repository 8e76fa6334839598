import { field, refuse } from '../../core/error.ts'
import { entryOf } from '../../core/workflows/channel.ts'
import { unknownInstance } from '../../core/workflows/say.ts'
import { type AnswerOf, aList, aNumber, CURSOR } from '../kit/answer.ts'
import { byDefault, int, name, required, self } from '../kit/field.ts'
import { query } from '../kit/operation.ts'
import { ENTRY } from './entry-view.ts'
import { CHANNEL_VIEWER, personAtChannels } from './instance-access.ts'

const ENTRIES = {
  entries: aList(ENTRY, 'oldest first'),
  run: aNumber('which run of the instance this is'),
  total: aNumber('how many entries there are'),
  next_event_id: CURSOR,
}

export type ChannelEntries = AnswerOf<typeof ENTRIES>

export const workflowEntries = query({
  name: 'workflow entries',
  example: 'workflow entries pr-123 --limit 20',
  summary: 'Read part of a channel: the last entries, or those before or after a place.',
  about:
    'Does not mark anything as read. Places count from 1 without gaps, so a channel of any length can be read in pieces from either end.',
  fields: {
    instance: required(name('the instance', { positional: true })),
    agent: self('the person looking', { leftOut: 'user' }),
    before: int('only entries before this place', { min: 1 }),
    after: int('only entries after this place', { min: 0 }),
    limit: byDefault(int('how many', { min: 1, max: 200 }), 50),
  },
  ...CHANNEL_VIEWER,
  check({ before, after }) {
    if (before === undefined || after === undefined) return
    throw refuse.invalid_input`${field('before')} and ${field('after')} are two directions: give one of them`
  },
  async run(context, input): Promise<ChannelEntries> {
    const { store } = context
    personAtChannels(input.agent)
    const { before, after, limit } = input
    const next_event_id = await store.lastEventId()
    const found = await store.instance(input.instance)
    if (found === null) throw unknownInstance(input.instance)
    const { thread_id: thread, run } = found
    if (thread === '') return { entries: [], run, total: 0, next_event_id }
    const [standing] = await store.channelStandings([thread])
    const total = standing?.entries ?? 0
    // Places have no gaps, so the last entries before one place can be read as the first ones after an earlier place.
    const end = before === undefined ? total : Math.min(total, before - 1)
    const from = after ?? Math.max(0, end - limit)
    const most = after === undefined ? Math.min(limit, end - from) : limit
    const messages = most === 0 ? [] : await store.entries({ thread, after: from, limit: most })
    const entries = messages.map((one) => entryOf(one, input.instance))
    return { entries, run, total, next_event_id }
  },
  answer: ENTRIES,
  lines: async (answer, page) => (await import('./drawing.ts')).drawEntries(answer, page),
})
