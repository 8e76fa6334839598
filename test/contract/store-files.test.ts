// Code that serves files from a folder that also contains the store must not open the store's own files, because
// closing such a descriptor would drop SQLite's locks. The test reads the locks from the kernel's list.

import { expect, test } from 'bun:test'
import {
  closeSync,
  existsSync,
  mkdirSync,
  readFileSync,
  realpathSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { openMailroom } from '../../src/bin/compose.ts'
import { openByPath, openInside } from '../../src/bin/open-inside.ts'
import { inPlace } from './engines.ts'

const LOCKS = '/proc/locks'

/** The number of locks on a file, or 0 if the system doesn't list them. */
function locksOn(path: string): number {
  if (!existsSync(LOCKS)) return 0
  const { ino } = statSync(path)
  return readFileSync(LOCKS, 'utf8')
    .split('\n')
    .filter((line) => line.includes(` ${process.pid} `) && line.includes(`:${ino} `)).length
}

test('the files of a store opened through a link are not documents', () =>
  inPlace('sqlite wal', async ({ folder }) => {
    const real = join(folder, 'real.db')
    writeFileSync(real, '')
    symlinkSync('real.db', join(folder, 'link.db'))
    const { documents, store, close } = await openMailroom(join(folder, 'link.db'))
    await store.now()
    for (const name of ['link.db', 'real.db', 'real.db-wal', 'real.db-shm']) {
      expect(existsSync(join(folder, name))).toBe(true)
      expect(await documents.open(folder, name)).toEqual({ state: 'special' })
    }
    await close()
  }))

test('the files of a store are not documents under any name, and stay locked', () =>
  inPlace('sqlite wal', async ({ open, folder, address }) => {
    const { documents, store } = await open()
    await store.now()
    const names = ['store.db', 'store.db-wal', 'store.db-shm']
    const before = names.map((name) => locksOn(join(folder, name)))
    expect((before[0] as number) > 0).toBe(existsSync(LOCKS))
    symlinkSync(address, join(folder, 'notes.md'))
    writeFileSync(join(folder, 'real.md'), 'Hello')
    for (const name of [...names, 'notes.md']) {
      expect(await documents.open(folder, name)).toEqual({ state: 'special' })
    }
    expect(names.map((name) => locksOn(join(folder, name)))).toEqual(before)
    const real = await documents.open(folder, 'real.md')
    expect(real.state).toBe('there')
    if (real.state === 'there') real.close()
  }))

test('a system without handles opens exactly the same files', () =>
  inPlace('sqlite wal', async (place) => {
    await place.open()
    const folder = realpathSync(place.folder)
    writeFileSync(join(folder, 'real.md'), 'Hello')
    mkdirSync(join(folder, 'sub'))
    symlinkSync('../real.md', join(folder, 'sub/inside.md'))
    symlinkSync('/etc/hosts', join(folder, 'outside.md'))
    symlinkSync('circle.md', join(folder, 'circle.md'))
    const states = { 'real.md': 'opened', 'sub/inside.md': 'opened', sub: 'special' }
    const others = { 'outside.md': 'outside', 'circle.md': 'missing', 'store.db': 'special' }
    for (const [path, state] of Object.entries({ ...states, ...others })) {
      const opened = [openInside(folder, path), openInside(folder, path, openByPath)]
      expect(opened.map((one): string => one.state)).toEqual([state, state])
      for (const one of opened) if (one.state === 'opened') closeSync(one.fd)
    }
  }))
