import { expect, test } from 'bun:test'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { isStore, migrateSqlite } from '../../src/store/sqlite/migrate.ts'
import type { Opened } from '../programs/opener.ts'
import { startActor, startProgram } from '../programs/start.ts'
import { ENGINES, withStore } from './own-store.ts'
import { findingsOf } from './witness.ts'

test.each([...ENGINES])(
  '%s: twenty processes can create one store at the same time',
  async (engine) => {
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
  },
)

test('sqlite: recognizes a store that another process creates during the check', async () => {
  await withStore('sqlite', async ({ address }) => {
    const [ours, theirs] = [new DatabaseSync(address), new DatabaseSync(address)]
    ours.exec('pragma journal_mode = wal')
    let looks = 0
    // Passes calls to the real database, but lets the other connection create the store before our second query.
    const interrupted = new Proxy(ours, {
      get(target, name) {
        if (name === 'prepare' && ++looks === 2) migrateSqlite(theirs, address)
        const member = Reflect.get(target, name, target)
        return typeof member === 'function' ? member.bind(target) : member
      },
    })
    expect(() => isStore(interrupted, address)).not.toThrow()
    expect(looks).toBe(2)
    ours.close()
    theirs.close()
  })
})

test('sqlite: three processes can open a new file at the same moment', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'mailroom-open-'))
  const openers = Array.from({ length: 3 }, () => startProgram<Opened>('opener', []))
  try {
    await Promise.all(openers.map((opener) => opener.line()))
    for (let round = 0; round < 60; round++) {
      for (const opener of openers) opener.order({ path: join(folder, `${round}.db`) })
      for (const opener of openers) expect((await opener.line()).refused).toBeNull()
    }
  } finally {
    for (const opener of openers) opener.signal('SIGKILL')
    rmSync(folder, { recursive: true, force: true })
  }
})
