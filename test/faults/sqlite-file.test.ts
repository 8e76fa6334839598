// Something is wrong with the store's file. Each time there is one clear line and exit 50, and the file isn't touched.

import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import {
  chmodSync,
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { connect } from '../../src/index.ts'
import { PROGRAM } from '../worlds/program.ts'
import { expectJsonRefusal, expectRefusal, type RunInbox, runInbox } from './inbox.ts'

let folder: string
// Root has access to everything, so another user has to try.
const isRoot = process.getuid?.() === 0
const other: RunInbox = { ...(isRoot ? { uid: 54_321 } : {}) }

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'mailroom-file-'))
  chmodSync(folder, 0o755)
  if (isRoot) {
    other.program = join(folder, 'inbox')
    copyFileSync(PROGRAM, other.program)
    chmodSync(other.program, 0o755)
  }
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const COMMANDS: Record<string, string[]> = {
  list: ['list'],
  send: ['send', '--from=lead', '--to=worker', '--subject=x'],
  claim: ['claim', '--agent=worker'],
  watch: ['watch', '--timeout-seconds=1'],
  doctor: ['doctor'],
  init: ['init'],
}

type Case = {
  /** Makes the bad file in its own folder; returns the path for --db. */
  make(home: string): Promise<string> | string
  says: RegExp
  as?: RunInbox
  /** The commands that are refused, if others can still do their work. */
  only?: string[]
}

const CASES: Record<string, Case> = {
  'a directory': {
    make: (home) => mkdir(join(home, 'store.db')),
    says: /store\.db is a directory; --db names a file/,
  },
  'a device': { make: () => '/dev/null', says: /\/dev\/null is not a file; --db names a file/ },
  'a link to itself': {
    make: (home) => {
      symlinkSync('store.db', join(home, 'store.db'))
      return join(home, 'store.db')
    },
    says: /cannot make the store .*: ELOOP; name another with --db/,
  },
  'a link to nothing': {
    make: (home) => {
      symlinkSync('target.db', join(home, 'store.db'))
      return join(home, 'store.db')
    },
    says: /store\.db is a link to a file that does not exist; name that file with --db/,
  },
  'below a file': {
    make: (home) => join(write(join(home, 'words.txt'), 'words'), 'store.db'),
    says: /cannot make the store .*: ENOTDIR; name another with --db/,
  },
  'not a database': {
    make: (home) => write(join(home, 'store.db'), 'Dear diary, '.repeat(100)),
    says: /store\.db is not a database; name another file with --db/,
  },
  "another program's database": {
    make: (home) => {
      const db = new DatabaseSync(join(home, 'store.db'))
      db.exec('create table bookmarks (url text)')
      db.close()
      return join(home, 'store.db')
    },
    says: /is a SQLite database of another program; name another file with --db/,
  },
  'of a newer version': {
    make: (home) => tampered(home, NEWER),
    says: /was made by a newer Mailroom \(0099_tomorrow\); .*: upgrade this program/,
  },
  damaged: {
    make: async (home) => {
      const path = await makeStore(home)
      const fd = openSync(path, 'r+')
      // The header is intact, the tables are not.
      writeSync(fd, Buffer.alloc(120_000, 0x5a), 0, 120_000, 4096)
      return path
    },
    says: /is damaged; restore a backup \(made with 'inbox backup'\)/,
    only: ['list', 'send', 'claim', 'watch'],
  },
  unreadable: {
    make: async (home) => chmod(await makeStore(home), 0),
    says: /cannot be opened; check the path, its permissions/,
    as: other,
  },
  'read-only': {
    make: async (home) => chmod(await makeStore(home), 0o444),
    says: /is read-only, or its folder, .* change the permissions or name another with --db/,
    as: other,
  },
  'in a folder that is read-only': {
    make: async (home) => {
      const path = chmod(await makeStore(home), 0o666)
      chmod(home, 0o555)
      return path
    },
    says: /(is read-only, or its folder, .* change the permissions|cannot be opened; check the path)/,
    as: other,
  },
  'absent from a folder that is read-only': {
    make: (home) => join(chmod(home, 0o555), 'store.db'),
    says: /cannot make the store .*: permission denied; name another with --db/,
    as: other,
    // Read-only commands don't create a store; they treat a missing one as empty.
    only: ['send', 'watch', 'init'],
  },
  'in a folder that may not be entered': {
    make: async (home) => {
      const path = await makeStore(home)
      chmod(home, 0)
      return path
    },
    says: /cannot make the store .*: permission denied; name another with --db/,
    as: other,
  },
}

describe.each(Object.entries(CASES))('a store that is %s', (name, { make, says, as, only }) => {
  test('is refused in one line by every command, and not changed', async () => {
    const home = mkdir(join(folder, name.replaceAll(/[^a-z]/g, '-')))
    const path = await make(home)
    const before = isRoot || as === undefined ? contents(home) : {}
    for (const [command, args] of Object.entries(COMMANDS)) {
      if (only && !only.includes(command)) continue
      const ran = await runInbox([...args, `--db=${path}`], as)
      expectRefusal(ran, { exit: 50, says })
      const json = await runInbox([...args, `--db=${path}`, '--json'], as)
      expectJsonRefusal(json, { exit: 50, code: 'store_unusable', says })
    }
    if (isRoot || as === undefined) expect(contents(home)).toEqual(before)
    chmodSync(home, 0o755)
  })
})

test("an inaccessible folder above is treated as another user's store", async () => {
  const home = mkdir(join(folder, 'above'))
  const deep = mkdir(join(home, 'deep'))
  chmod(mkdir(join(home, '.agents')), isRoot ? 0o700 : 0)
  const says = /\.agents\/coord\.db cannot be read \(EACCES\); name a store with --db/
  expectRefusal(await runInbox(['list'], { ...other, folder: deep }), { exit: 40, says })
  chmod(join(home, '.agents'), 0o700)
})

test('an older program works with a newer store whose changes are compatible', async () => {
  const home = mkdir(join(folder, 'newer'))
  const path = await tampered(home, NEWER.replace(', 1)', ', 0)'))
  const sent = await runInbox([...(COMMANDS.send ?? []), `--db=${path}`])
  expect({ exit: sent.exit, stderr: sent.stderr }).toEqual({ exit: 0, stderr: '' })
})

const NEWER = `insert into migrations (number, name, breaking) values (99, '0099_tomorrow', 1);
pragma user_version = 99`

async function tampered(home: string, sql: string): Promise<string> {
  const path = await makeStore(home)
  const db = new DatabaseSync(path)
  db.exec(sql)
  db.close()
  return path
}

async function makeStore(home: string): Promise<string> {
  const path = join(home, 'store.db')
  const client = await connect(path, { agent: 'lead' })
  await client.send({ to: 'worker', subject: 'one' })
  await client.close()
  return path
}

function mkdir(path: string): string {
  mkdirSync(path)
  return path
}

function write(path: string, text: string): string {
  writeFileSync(path, text)
  return path
}

function chmod(path: string, mode: number): string {
  chmodSync(path, mode)
  return path
}

/** Every file of a folder except SQLite's helper files and the bell, which hold no data. */
function contents(home: string): Record<string, string> {
  const files = readdirSync(home, { withFileTypes: true }).filter(
    (entry) => entry.isFile() && !/-(shm|wal)$|\.bell$/.test(entry.name),
  )
  return Object.fromEntries(
    files.map(({ name }) => [name, Bun.hash(readFileSync(join(home, name))).toString()]),
  )
}
