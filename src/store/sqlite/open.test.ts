import { afterEach, beforeEach, expect, test } from 'bun:test'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type { Refusal } from '../../core/error.ts'
import { explainUnsafeForWal, fileIdentity, journalFor, openDatabase } from './open.ts'

let folder: string

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'mailroom-open-'))
})

afterEach(() => {
  rmSync(folder, { recursive: true })
})

async function refusalOf(path: string): Promise<Refusal> {
  const outcome = await openDatabase({ path }).then(
    ({ db }) => db.close(),
    (error: Refusal) => error,
  )
  if (outcome === undefined) throw new Error('it was opened')
  return outcome
}

// Numbers from statfs(2) on Linux; they are signed on some machines.
const FILE_SYSTEMS: [string, number, boolean][] = [
  ['ext4', 0xef53, true],
  ['xfs', 0x58465342, true],
  ['btrfs', 0x9123683e, true],
  ['tmpfs', 0x01021994, true],
  ['overlay', 0x794c7630, true],
  ['zfs', 0x2fc12fc1, true],
  ['apfs or unknown', 0x1a, true],
  ['nfs', 0x6969, false],
  ['smb', 0x517b, false],
  ['cifs', 0xff534d42, false],
  ['cifs, signed', 0xff534d42 | 0, false],
  ['smb2', 0xfe534d42, false],
  ['smb2, signed', 0xfe534d42 | 0, false],
  ['9p', 0x01021997, false],
  ['fuse, virtiofs', 0x65735546, false],
  ['vboxsf', 0x786f4256, false],
  ['ceph', 0x00c36400, false],
  ['gpfs', 0x47504653, false],
  ['lustre', 0x0bd00bd0, false],
  ['afs', 0x5346414f, false],
]

for (const [name, magic, isSafe] of FILE_SYSTEMS) {
  test(`a shared log is ${isSafe ? 'safe' : 'unsafe'} on ${name}`, () => {
    expect(explainUnsafeForWal(magic) === undefined).toBe(isSafe)
  })
}

test('chooses the journal by the file system of the store’s folder', () => {
  expect(journalFor(join(folder, 'store.db'))).toBe('wal')
})

const ASKED = `select (select journal_mode from pragma_journal_mode) as journal,
  (select synchronous from pragma_synchronous) as synchronous,
  (select foreign_keys from pragma_foreign_keys) as foreign_keys`

test('every connection flushes at each commit, whatever the previous one set', async () => {
  const path = join(folder, 'store.db')
  for (const journal of ['wal', 'delete'] as const) {
    for (let time = 0; time < 2; time++) {
      const { db } = await openDatabase({ path, journal })
      expect(db.prepare(ASKED).get()).toEqual({
        journal,
        synchronous: journal === 'wal' ? 2 : 3,
        foreign_keys: 1,
      })
      db.exec('pragma synchronous = off')
      db.close()
    }
  }
})

test('creates a private store, and announces it once', async () => {
  const path = join(folder, 'new', 'deep', 'store.db')
  const made: string[] = []
  const open = () => openDatabase({ path, onCreate: (place) => void made.push(place) })
  const { db, identity } = await open()
  expect(statSync(path).mode & 0o777).toBe(0o600)
  expect(statSync(join(folder, 'new')).mode & 0o777).toBe(0o700)
  for (const side of ['-wal', '-shm']) expect(statSync(path + side).mode & 0o077).toBe(0)
  expect(identity).toBe(fileIdentity(path) as string)
  db.close()
  ;(await open()).db.close()
  expect(made).toEqual([path])
})

test('an empty file becomes a store, but other databases and other files do not', async () => {
  const empty = join(folder, 'empty.db')
  writeFileSync(empty, '')
  const made: string[] = []
  for (let time = 0; time < 2; time++) {
    const { db } = await openDatabase({ path: empty, onCreate: (place) => void made.push(place) })
    db.close()
  }
  expect(made).toEqual([empty])

  // A caller that requires an existing store is refused, and the file stays unchanged.
  const wanted = join(folder, 'wanted.db')
  writeFileSync(wanted, '')
  const opened = openDatabase({ path: wanted, mustExist: true })
  expect(await opened.catch((error) => error)).toMatchObject({ code: 'not_found' })
  expect(statSync(wanted).size).toBe(0)

  const foreign = join(folder, 'foreign.db')
  const theirs = new DatabaseSync(foreign)
  theirs.exec('create table accounts (id integer)')
  theirs.close()
  const before = statSync(foreign).size
  expect(await refusalOf(foreign)).toMatchObject({ code: 'store_unusable' })
  expect(statSync(foreign).size).toBe(before)

  const marked = join(folder, 'marked.db')
  const blank = new DatabaseSync(marked)
  blank.exec('pragma application_id = 7; create table t (x); drop table t')
  blank.close()
  expect((await refusalOf(marked)).message).toContain('another program')

  const text = join(folder, 'notes.txt')
  writeFileSync(text, 'not a database at all, but long enough to be read as one'.repeat(20))
  expect((await refusalOf(text)).message).toContain('is not a database')
})

test('rejects a directory and an unwritable place with the reason', async () => {
  mkdirSync(join(folder, 'store.db'))
  expect((await refusalOf(join(folder, 'store.db'))).message).toContain('is a directory')
  writeFileSync(join(folder, 'file'), '')
  const below = await refusalOf(join(folder, 'file', 'store.db'))
  expect(below).toMatchObject({ name: 'Refusal', code: 'store_unusable' })
})

test('rejects a dangling link by its name, and does not create its target', async () => {
  const link = join(folder, 'link.db')
  symlinkSync('target.db', link)
  const refusal = await refusalOf(link)
  expect(refusal).toMatchObject({ name: 'Refusal', code: 'store_unusable' })
  expect(refusal.message).toContain(link)
  expect(existsSync(join(folder, 'target.db'))).toBe(false)
  ;(await openDatabase({ path: join(folder, 'target.db') })).db.close()
  ;(await openDatabase({ path: link })).db.close()
})

test('tells a file from one that replaces it', async () => {
  const path = join(folder, 'store.db')
  expect(fileIdentity(path)).toBeUndefined()
  writeFileSync(path, '')
  const first = fileIdentity(path)
  writeFileSync(join(folder, 'other.db'), '')
  expect(fileIdentity(join(folder, 'other.db'))).not.toBe(first as string)
})
