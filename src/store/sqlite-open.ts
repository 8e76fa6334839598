// Opening a SQLite store: where it may live, how it must be set, and what is refused at the door.
//
// (1) WAL with synchronous=FULL, set on every open: it is not stored in the file, and NORMAL loses
//     acknowledged commits in a power cut.
// (2) On file systems without shared memory between openers, WAL corrupts silently: there the
//     journal is DELETE with synchronous=EXTRA.
// (3) Nothing in this process may open the .db or -shm file beside SQLite: closing such a descriptor
//     drops SQLite's locks. What must be known about the file is asked by stat, or before the open.

import { chmodSync, closeSync, mkdirSync, openSync, statfsSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { quote, Refusal, refuse } from '../core/error.ts'
import { MIGRATIONS } from './sql.gen.ts'

/** "Mail" in ASCII: tells a Mailroom store from any other SQLite file. */
export const APPLICATION_ID = 0x4d61696c

/** The WAL-reset bug, which loses committed frames when two connections are open, ended here. */
const OLDEST_SQLITE = [3, 51, 3] as const

export type Journal = 'wal' | 'delete'

export type SqliteOptions = {
  path: string
  /** For file systems the table below does not know, and for tests. */
  journal?: Journal | undefined
  onCreate?: ((path: string) => void) | undefined
}

export function openDatabase(options: SqliteOptions): DatabaseSync {
  const { path } = options
  const isNew = prepareFile(path, options.onCreate)
  try {
    return openChecked(path, options.journal ?? journalFor(path), isNew)
  } catch (error) {
    throw sqliteRefusal(error, path)
  }
}

function openChecked(path: string, journal: Journal, isNew: boolean): DatabaseSync {
  // The timeout covers the statements of the open itself; writes have their own, fairer retry.
  const db = new DatabaseSync(path, { timeout: 5000 })
  try {
    const facts = db
      .prepare(
        `select sqlite_version() as version, (select journal_mode from pragma_journal_mode) as mode,
         (select application_id from pragma_application_id) as application,
         (select user_version from pragma_user_version) as schema`,
      )
      .get() as { version: string; mode: string; application: number; schema: number }
    refuseOldSqlite(facts.version)
    if (facts.application !== APPLICATION_ID && !(facts.application === 0 && isBlank(db))) {
      throw refuse(
        'store_unusable',
        `${path} is a SQLite database of another program; name another file with --db`,
      )
    }
    if (facts.mode !== journal) setJournal(db, path, journal)
    db.exec(journal === 'wal' ? WAL_PRAGMAS : DELETE_PRAGMAS)
    const newest = MIGRATIONS.length
    if (facts.schema > newest) refuseBreaking(db, path, newest)
    if (facts.schema < newest) migrate(db, isNew)
    db.exec('pragma busy_timeout = 0')
    return db
  } catch (error) {
    db.close()
    throw error
  }
}

const WAL_PRAGMAS = `pragma synchronous = full; pragma foreign_keys = on;
pragma trusted_schema = off; pragma journal_size_limit = 67108864; pragma fullfsync = on;
pragma checkpoint_fullfsync = on`
const DELETE_PRAGMAS = `pragma synchronous = extra; pragma foreign_keys = on;
pragma trusted_schema = off; pragma fullfsync = on`

// File system types by statfs magic where WAL is unsafe: its shared memory does not reach every
// opener, and it fails without an error.
const NO_SHARED_MEMORY = new Map<number, string>([
  [0x6969, 'NFS'],
  [0x517b, 'SMB'],
  [0xff534d42, 'CIFS'],
  [0xfe534d42, 'SMB2'],
  [0x01021997, '9p'],
  [0x65735546, 'FUSE or virtiofs'],
  [0x786f4256, 'a VirtualBox share'],
  [0x00c36400, 'Ceph'],
  [0x47504653, 'GPFS'],
  [0x0bd00bd0, 'Lustre'],
  [0x5346414f, 'AFS'],
])

export function unsafeForWal(magic: number): string | undefined {
  return NO_SHARED_MEMORY.get(magic >>> 0)
}

export function journalFor(path: string): Journal {
  return unsafeForWal(Number(statfsSync(dirname(path)).type)) === undefined ? 'wal' : 'delete'
}

/** True when this call made the file. It is made before SQLite opens it: private from the start. */
function prepareFile(path: string, onCreate: SqliteOptions['onCreate']): boolean {
  try {
    const found = statSync(path)
    if (found.isDirectory()) {
      throw refuse('store_unusable', `${path} is a directory; --db names a file`)
    }
    return found.size === 0
  } catch (error) {
    if (error instanceof Refusal) throw error
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw fileRefusal(error, path)
  }
  try {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
    closeSync(openSync(path, 'wx', 0o600))
    onCreate?.(path)
  } catch (error) {
    // Another process made it in the same moment.
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw fileRefusal(error, path)
  }
  return true
}

function fileRefusal(error: unknown, path: string): Refusal {
  const { code } = error as NodeJS.ErrnoException
  const why =
    {
      EACCES: 'permission denied',
      EROFS: 'the file system is read-only',
      ENOSPC: 'the disk is full',
    }[code ?? ''] ?? String(code)
  return refuse('store_unusable', `cannot make the store ${path}: ${why}; name another with --db`)
}

function setJournal(db: DatabaseSync, path: string, journal: Journal): void {
  const { journal_mode: mode } = db.prepare(`pragma journal_mode = ${journal}`).get() as {
    journal_mode: string
  }
  if (mode === journal) return
  throw refuse(
    'store_unusable',
    journal === 'delete'
      ? `${path} is in use in WAL mode on a file system where that is unsafe; close every program that uses it, or move it to a local disk`
      : `${path} cannot use a write-ahead log here (SQLite answered ${quote(mode)}); move it to a local disk`,
  )
}

function isBlank(db: DatabaseSync): boolean {
  const { n } = db.prepare('select count(*) as n from sqlite_schema').get() as { n: number }
  return n === 0
}

function refuseOldSqlite(version: string): void {
  const parts = version.split('.').map(Number)
  for (let i = 0; i < 3; i++) {
    const have = parts[i] ?? 0
    const want = OLDEST_SQLITE[i] as number
    if (have > want) return
    if (have < want) {
      throw refuse(
        'store_unusable',
        `SQLite ${version} can lose commits; ${OLDEST_SQLITE.join('.')} or newer is needed (Bun 1.4 or Node 24.21)`,
      )
    }
  }
}

function refuseBreaking(db: DatabaseSync, path: string, newest: number): void {
  const row = db
    .prepare('select name from migrations where number > ? and breaking = 1 order by number')
    .get(BigInt(newest)) as { name: string } | undefined
  if (row !== undefined) {
    throw refuse(
      'store_unusable',
      `${path} was made by a newer Mailroom (${row.name}); this one knows up to migration ${newest}: upgrade this program`,
    )
  }
}

function migrate(db: DatabaseSync, isNew: boolean): void {
  // Everyone who arrives here at once queues on the write lock; the first does the work.
  db.exec('begin immediate')
  try {
    const { user_version: schema } = db.prepare('pragma user_version').get() as {
      user_version: number
    }
    if (schema === 0) {
      db.exec(`create table migrations (
        number integer primary key, name text not null, breaking integer not null)`)
    }
    const note = db.prepare('insert into migrations (number, name, breaking) values (?, ?, ?)')
    for (const { number, name, breaking, text } of MIGRATIONS.slice(schema)) {
      db.exec(text)
      note.run(BigInt(number), name, breaking ? 1n : 0n)
    }
    db.exec(`pragma application_id = ${APPLICATION_ID}; pragma user_version = ${MIGRATIONS.length}`)
    db.exec('commit')
  } catch (error) {
    db.exec('rollback')
    throw error
  }
  if (isNew) restrictSidecars(db)
}

function restrictSidecars(db: DatabaseSync): void {
  const path = db.location()
  if (path === null) return
  for (const suffix of ['-wal', '-shm']) {
    try {
      chmodSync(path + suffix, 0o600)
    } catch {
      // Absent in DELETE mode; SQLite gives them the database's own mode anyway.
    }
  }
}

const SQLITE_WORDS: Record<number, { code: 'busy' | 'store_unusable'; why: string }> = {
  5: { code: 'busy', why: 'is locked by another process; try again' },
  6: { code: 'busy', why: 'is locked by another process; try again' },
  8: {
    code: 'store_unusable',
    why: 'is read-only; change its permissions or name another with --db',
  },
  10: { code: 'store_unusable', why: "has a disk error; run 'inbox doctor'" },
  11: { code: 'store_unusable', why: "is damaged; restore a backup (made with 'inbox backup')" },
  13: {
    code: 'store_unusable',
    why: 'cannot grow: the disk is full; free some space and try again',
  },
  14: { code: 'store_unusable', why: 'cannot be opened; check the path and its permissions' },
  26: { code: 'store_unusable', why: 'is not a database; name another file with --db' },
}

/** SQLite's own errors become refusals here and nowhere else; anything unknown stays a bug. */
export function sqliteRefusal(error: unknown, path: string): unknown {
  const errcode = (error as { errcode?: unknown }).errcode
  if (typeof errcode !== 'number') return error
  const words = SQLITE_WORDS[errcode & 0xff]
  return words === undefined ? error : refuse(words.code, `${path} ${words.why}`)
}

export function isBusy(error: unknown): boolean {
  const errcode = (error as { errcode?: unknown }).errcode
  return typeof errcode === 'number' && ((errcode & 0xff) === 5 || (errcode & 0xff) === 6)
}
