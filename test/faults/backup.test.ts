// A killed backup leaves files behind. The next backup removes those and nothing else.

import { expect, test } from 'bun:test'
import { readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { connect } from '../../src/index.ts'
import { startProgram } from '../programs/start.ts'
import { freshStore } from '../worlds/store.ts'

test('a backup removes the files of a killed backup, and leaves those of a running one alone', async () => {
  const store = await freshStore('sqlite')
  const inbox = await connect(store.address)
  const there = () => readdirSync(store.folder).filter((name) => !name.startsWith('store.db'))
  try {
    await inbox.send({ from: 'lead', to: 'worker', subject: 'Keep me' })
    // Other files may have similar names. None of these was left by a backup.
    const others = ['a.db.inbox-1', 'b.db.inbox-2-guard', 'c.db.x7f2', 'c.db.x7f2-journal']
    for (const name of others) writeFileSync(join(store.folder, name), 'not ours')
    const program = startProgram<{ path: string }>('backer', [join(store.folder, 'old.db')])
    const { path } = await program.line()
    const own = [path, `${path}-guard`, `${path}-journal`].map((one) => one.split('/').at(-1) ?? '')
    await inbox.backup({ file: join(store.folder, 'first.db') })
    expect(there().toSorted()).toEqual([...others, ...own, 'first.db'].toSorted())
    program.signal('SIGKILL')
    await program.ended
    await inbox.backup({ file: join(store.folder, 'second.db') })
    expect(there().toSorted()).toEqual([...others, 'first.db', 'second.db'].toSorted())
    const copy = await connect(join(store.folder, 'second.db'))
    expect((await copy.list({})).threads).toMatchObject([{ subject: 'Keep me' }])
    await copy.close()
  } finally {
    await inbox.close()
    await store.remove()
  }
})
