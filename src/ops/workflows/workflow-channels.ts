import { field, refuse } from '../../core/error.ts'
import type { Store } from '../../core/store.ts'
import type { HeldInstance } from '../../core/workflows/instance.ts'
import {
  type AnswerOf,
  type AnswerRecord,
  aFlag,
  aList,
  aNumber,
  aRecord,
  aText,
  CURSOR,
  MORE,
  orNull,
  pickShown,
} from '../kit/answer.ts'
import { byDefault, int, self, text } from '../kit/field.ts'
import { query } from '../kit/operation.ts'
import { CHANNEL_VIEWER, personAtChannels } from './instance-access.ts'

/** More instances than will ever run on one machine. */
const MOST_RUNNING = 500

const CHANNEL = aRecord('channel', 'an instance and its channel', {
  instance: aText('the name of the instance'),
  run: aNumber('the number of its run, from 1'),
  workflow: aText('the name of the workflow'),
  standalone: aFlag('whether it is a standalone agent'),
  state: aText('running or ended'),
  ended: aText('how it ended, or empty'),
  started_at: aText('since when'),
  ended_at: orNull(aText('until when')),
  thread_id: aText('the channel; empty without a context'),
  agents: aNumber('how many agents take part'),
  entries: aNumber('how many entries the channel has'),
  last_at: orNull(aText('when someone last wrote there')),
  unread: aNumber('how many mentions of you are unread'),
})

export type ChannelRow = AnswerRecord<typeof CHANNEL>

const CHANNELS = {
  channels: aList(CHANNEL, 'running instances by name, then ended ones, latest first'),
  has_more: MORE,
  next_before: orNull(aText('the cursor for the next page: pass it as before')),
  next_event_id: CURSOR,
}

export type Channels = AnswerOf<typeof CHANNELS>

export const workflowChannels = query({
  name: 'workflow channels',
  example: 'workflow channels',
  summary: 'List instances for a person: running ones first, then the latest to end.',
  about:
    'Shows the length of each channel, when someone last wrote there, and how many mentions of you are unread. All running instances are on the first page. While has_more is true, continue with --before and next_before.',
  fields: {
    agent: self('the person looking', { leftOut: 'user' }),
    before: text('only instances that ended before this one: next_before of the previous answer', {
      max: 200,
    }),
    limit: byDefault(int('how many ended instances to list at most', { min: 1, max: 500 }), 100),
  },
  ...CHANNEL_VIEWER,
  refusals: ['invalid_input', 'forbidden'],
  async run(context, input): Promise<Channels> {
    const { store } = context
    const person = personAtChannels(input.agent)
    const { limit } = input
    const before = input.before === undefined ? undefined : placeIn(input.before)
    const next_event_id = await store.lastEventId()
    const [running, ended] = await Promise.all([
      before === undefined ? store.instances({ running: true, limit: MOST_RUNNING }) : [],
      store.endedInstances({ ...(before && { before }), limit: limit + 1 }),
    ])
    const has_more = ended.length > limit
    const page = ended.slice(0, limit)
    const last = page.at(-1)
    return {
      channels: await viewChannels(store, [...running, ...page], person),
      has_more,
      next_before: has_more && last ? `${last.ended_at} ${last.instance}` : null,
      next_event_id,
    }
  },
  answer: CHANNELS,
  lines: async (answer, page) => (await import('./drawing.ts')).drawChannels(answer, page),
})

function placeIn(cursor: string) {
  const [ended_at = '', instance = '', ...more] = cursor.split(' ')
  if (instance !== '' && more.length === 0) return { ended_at, instance }
  throw refuse.invalid_input`${field('before')} is not a cursor of this list; give next_before of the previous answer`
}

async function viewChannels(
  store: Store,
  instances: readonly HeldInstance[],
  person: string,
): Promise<ChannelRow[]> {
  const threads = instances.map(({ thread_id }) => thread_id).filter((one) => one !== '')
  const [standings, unread] =
    threads.length === 0
      ? [[], new Map<string, number>()]
      : await Promise.all([
          store.channelStandings(threads),
          store.unreadInChannels(person, threads),
        ])
  const byThread = new Map(standings.map((one) => [one.thread_id, one]))
  return instances.map((one) => {
    const standing = byThread.get(one.thread_id)
    return {
      ...pickShown(CHANNEL, one),
      agents: one.members.length,
      entries: standing?.entries ?? 0,
      last_at: standing?.last_at ?? null,
      unread: unread.get(one.thread_id) ?? 0,
    }
  })
}
