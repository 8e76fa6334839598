import { expect, test } from 'bun:test'
import { startActor } from '../programs/start.ts'
import { ENGINES, withStore } from './own-store.ts'
import { findingsOf } from './witness.ts'

test.each([...ENGINES])('%s: twenty processes make one store at the same time', async (engine) => {
  await withStore(engine, async (store) => {
    const actors = await Promise.all(Array.from({ length: 20 }, () => startActor(store.address)))
    const sent = await Promise.all(
      actors.map((actor) => actor.call('send', { to: 'worker', subject: 'first' })),
    )
    await Promise.all(actors.map((actor) => actor.close()))
    expect(sent.filter(({ result }) => result === undefined)).toEqual([])
    expect(await store.sql('select count(*) as n from migrations')).toEqual(
      await store.sql('select count(distinct name) as n from migrations'),
    )
    expect(await findingsOf(store.address)).toEqual([])
  })
})
