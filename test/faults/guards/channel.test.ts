import { expect, test } from 'bun:test'
import { type ChannelScene, channelScene } from '../../contract/channel-scene.ts'
import { withStore } from '../../races/own-store.ts'
import { type Mutation, withMutant } from './mutant.ts'

const WHOLE: ChannelScene = {
  states: ['coder@pr-1 acted', 'coder@pr-1 presented'],
  acknowledged: 1,
  second: 'lease_conflict',
  own: [],
}

const QUERIES = 'store/sqlite/queries.gen.ts'
const ACT_ON =
  "state = 'acted', unread_at = null\\nwhere thread_id = :thread_id and recipient = :recipient and "
const SELF = 'core/workflows/mentions.ts'

const GUARDS: Record<string, { mutation: Mutation[]; breaks: Partial<ChannelScene> }> = {
  'an answer acts on one mention only': {
    mutation: [
      {
        file: QUERIES,
        guard: `${ACT_ON}message_id in (:messages...)`,
        without: `${ACT_ON}'' not in (:messages...)`,
      },
    ],
    breaks: { states: ['coder@pr-1 acted', 'coder@pr-1 acted'] },
  },
  'a message not yet shown is not acknowledged by its time': {
    mutation: [
      {
        file: QUERIES,
        guard: "(queued_at < ?2 or (queued_at = ?2 and state = 'presented'))",
        without: '(queued_at <= ?2)',
      },
    ],
    breaks: { acknowledged: 2 },
  },
  'one runner holds an instance': {
    mutation: [
      {
        file: 'workflows/instance-life.ts',
        guard: 'if (!isHeld(held, now) || held.token === dead) return',
        without: 'if (isHeld(held, now)) return',
      },
    ],
    breaks: { second: 'begun' },
  },
  'an agent cannot mention itself': {
    mutation: [
      {
        file: SELF,
        guard: 'const isOther = (name: string) => name !== self && ',
        without: 'const isOther = (name: string) => ',
      },
      {
        file: 'core/workflows/say.ts',
        guard: '.filter((one) => one !== self)',
        without: '',
      },
    ],
    breaks: { own: ['coder'] },
  },
}

test('with all guards, the channel is correct', () =>
  withStore('sqlite', async (store) => expect(await channelScene(store)).toEqual(WHOLE)))

test.each(Object.entries(GUARDS))('without its guard this fails: %s', (_, one) =>
  withMutant(one.mutation, (source) =>
    withStore('sqlite', async (store) => {
      expect(await channelScene(store, source)).toEqual({ ...WHOLE, ...one.breaks })
    }),
  ),
)
