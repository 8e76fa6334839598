import { expect, test } from 'bun:test'
import { openMailroom } from '../../src/bin/compose.ts'
import { connect } from '../../src/index.ts'
import { type Listener, makeTail } from '../../src/ops/server/tail.ts'
import { ENGINES, withStore } from '../races/own-store.ts'
import { freshStore } from '../worlds/store.ts'

test('a tail reports a bug once and pauses instead of retrying in a loop', async () => {
  const place = await freshStore('sqlite')
  const { store, bell, close } = await openMailroom(place.address)
  let looks = 0
  const told = Promise.withResolvers<unknown>()
  const broken = {
    ...store,
    events: () => {
      looks += 1
      return Promise.reject(new TypeError('a bug'))
    },
  }
  const tail = makeTail({ store: broken, bell, report: told.resolve })
  const quiet = { take() {}, reset() {}, reached() {}, ended() {}, ready: async () => {} }
  const leave = await tail.listen({ filter: {} }, quiet)
  expect(await told.promise).toBeInstanceOf(TypeError)
  const soFar = looks
  // Without a pause, the tail would retry on every turn of the event loop.
  for (let turn = 0; turn < 1000; turn += 1) await new Promise((resolve) => setImmediate(resolve))
  expect(looks).toBe(soFar)
  leave()
  await tail.close()
  await close()
  await place.remove()
})

test.each(ENGINES)(
  'on %s, a listener that catches up during writes gets each event once and in order',
  (engine) =>
    withStore(engine, async ({ address }) => {
      const { store, bell, close } = await openMailroom(address)
      const lead = await connect(address, { agent: 'lead' })
      const send = async (subject: string) =>
        (await lead.send({ to: 'worker', subject })).next_event_id
      await send('before')
      // Writes between the two reads of a listener that is catching up, so that its page reaches past the end.
      let last = 0
      let writes = 0
      const busy: typeof store = {
        ...store,
        async events(filter) {
          if (writes < 40) last = await send(`during ${writes++}`)
          return store.events(filter)
        },
      }
      const tail = makeTail({ store: busy, bell, report: () => {} })
      const heard = new Map<string, number[]>()
      const more = { said: () => {} }
      const listening = ['plain', 'worker'].flatMap((name) =>
        [0, 1, 2].map(async (after) => {
          const ids: number[] = []
          heard.set(`${name} after ${after}`, ids)
          const to: Listener = {
            take({ event_id }) {
              ids.push(event_id)
              more.said()
            },
            reset() {},
            reached() {},
            ended() {},
            ready: async () => {},
          }
          const filter = name === 'worker' ? { agent: name } : {}
          return tail.listen({ after, filter }, to)
        }),
      )
      const leave = await Promise.all(listening)
      while (writes < 40) last = await send(`after ${writes++}`)
      await new Promise<void>((resolve) => {
        more.said = () => [...heard.values()].every((ids) => ids.at(-1) === last) && resolve()
        more.said()
      })
      for (const [who, ids] of heard) {
        const once = [...new Set(ids)].sort((a, b) => a - b)
        expect({ who, ids }).toEqual({ who, ids: once })
      }
      const all = await store.events({ after: 0, without: [], limit: 500 })
      expect(heard.get('plain after 0')).toEqual(all.map(({ event_id }) => event_id))
      for (const one of leave) one()
      await tail.close()
      await lead.close()
      await close()
    }),
)
