import { expect, test } from 'bun:test'
import { DatabaseSync } from 'node:sqlite'
import { migrateSqlite, refuseForeign } from '../../src/store/sqlite-migrate.ts'
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

test('sqlite: a store that another process makes between two looks at it is not foreign', async () => {
  await withStore('sqlite', async ({ address }) => {
    const [ours, theirs] = [new DatabaseSync(address), new DatabaseSync(address)]
    ours.exec('pragma journal_mode = wal')
    let looks = 0
    // Everything goes to the real database; before our second look, the other connection is done.
    const interrupted = new Proxy(ours, {
      get(target, name) {
        if (name === 'prepare' && ++looks === 2) migrateSqlite(theirs, address)
        const member = Reflect.get(target, name, target)
        return typeof member === 'function' ? member.bind(target) : member
      },
    })
    expect(() => refuseForeign(interrupted, address)).not.toThrow()
    expect(looks).toBe(2)
    ours.close()
    theirs.close()
  })
})
