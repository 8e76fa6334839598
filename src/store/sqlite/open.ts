// Opens a SQLite store: where it may be, how it's configured, and what is refused.
//
// (1) The journal is WAL with synchronous=FULL, which is set on every open: the file doesn't store it, and NORMAL loses
//     acknowledged commits in a power outage.
// (2) On file systems that don't share memory between all processes, WAL silently corrupts the file, so there the
//     journal is DELETE with synchronous=EXTRA.
// (3) Nothing in this process may open the .db or -shm file next to SQLite: closing that descriptor would drop SQLite's
//     locks. Files are only examined with stat, or before SQLite opens them.

import fs from 'node:fs'
import { dirname } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { field, quote, Refusal, refuse } from '../../core/error.ts'
import { SCHEMA_VERSION } from '../schema-version.gen.ts'
import { APPLICATION_ID } from './connection.ts'
import { diskFull, sqliteRefusal } from './errors.ts'
import { retryPatiently } from './file/patience.ts'

/** The version that fixed the WAL-reset bug, which loses committed frames when two connections are open. */
const OLDEST_SQLITE = [3, 51, 3] as const

export type Journal = 'wal' | 'delete' | 'memory'

/** The path of a store without a file: empty when opened, gone when closed. */
export const NOWHERE = ':memory:'

export type SqliteOptions = {
  path: string
  /** For file systems that aren't in the table below, and for tests. */
  journal?: Journal | undefined
  onCreate?: ((path: string) => void) | undefined
  /** A file without a store is refused as not_found, and left unchanged. */
  mustExist?: boolean | undefined
}

export type OpenedFile = { db: DatabaseSync; identity: string; journal: Journal }

export async function openDatabase(options: SqliteOptions): Promise<OpenedFile> {
  const { path } = options
  const identity = path === NOWHERE ? '' : (fileIdentity(path) ?? makeFile(path))
  try {
    const journal = options.journal ?? journalFor(path)
    // SQLite ignores its timeout and reports busy immediately where waiting could deadlock: for example, when two
    // processes turn on the log of a new file. A second attempt succeeds.
    const { db, isNew } = await retryPatiently(path, () => openChecked(options, journal))
    if (isNew) options.onCreate?.(path)
    return { db, identity, journal }
  } catch (error) {
    throw sqliteRefusal(error, path)
  }
}

async function openChecked({ path, mustExist }: SqliteOptions, journal: Journal) {
  // This timeout is for the statements run here; writes have their own, fairer retry.
  const db = new DatabaseSync(path, { timeout: 5000 })
  try {
    const ask = (pragma: string) =>
      Object.values(db.prepare(`pragma ${pragma}`).get() as object)[0] as string | number
    const { v } = db.prepare('select sqlite_version() as v').get() as { v: string }
    refuseOldSqlite(v)
    const isCurrent =
      ask('application_id') === APPLICATION_ID && ask('user_version') === SCHEMA_VERSION
    if (!isCurrent) {
      const { isStore } = await import('./migrate.ts')
      if (!isStore(db, path) && mustExist) throw refuse.not_found`there is no store in ${path}`
    }
    if (ask('journal_mode') !== journal) setJournal(db, path, journal)
    db.exec(journal === 'wal' ? WAL_PRAGMAS : DELETE_PRAGMAS)
    let isNew = false
    if (!isCurrent) {
      const { migrateSqlite } = await import('./migrate.ts')
      isNew = migrateSqlite(db, path)
    }
    db.exec('pragma busy_timeout = 0')
    return { db, isNew }
  } catch (error) {
    db.close()
    throw error
  }
}

/** A second connection to a store that was just opened, checked and migrated. */
export function openAgain(path: string, journal: Journal | undefined): DatabaseSync {
  const db = new DatabaseSync(path, { timeout: 5000 })
  db.exec((journal ?? journalFor(path)) === 'wal' ? WAL_PRAGMAS : DELETE_PRAGMAS)
  return db
}

// Eight megabytes of cache hold the upper levels of every index of a million threads.
const WAL_PRAGMAS = `pragma synchronous = full; pragma cache_size = -8000; pragma foreign_keys = on;
pragma trusted_schema = off; pragma journal_size_limit = 67108864; pragma fullfsync = on;
pragma checkpoint_fullfsync = on`
const DELETE_PRAGMAS = `pragma synchronous = extra; pragma cache_size = -8000; pragma foreign_keys = on;
pragma trusted_schema = off; pragma fullfsync = on`

// The statfs magic of file systems where WAL is unsafe: not every process sees the shared memory, and WAL fails without
// an error.
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

export function explainUnsafeForWal(magic: number): string | undefined {
  return NO_SHARED_MEMORY.get(magic >>> 0)
}

export function journalFor(path: string): Journal {
  if (path === NOWHERE) return 'memory'
  return explainUnsafeForWal(Number(fs.statfsSync(dirname(path)).type)) === undefined
    ? 'wal'
    : 'delete'
}

/** A typical call writes about a hundred kilobytes to the log. */
const ROOM_BYTES = 256 * 1024

/** Checks the free space, because a small test write may fit when a real write wouldn't. */
export function mustHaveRoom(path: string): void {
  const { bavail, bsize } = fs.statfsSync(dirname(path))
  if (bavail * bsize < ROOM_BYTES) throw diskFull(path)
}

/** Distinguishes a file from another one that replaces it; undefined if there is no file. */
export function fileIdentity(path: string): string | undefined {
  try {
    const found = fs.statSync(path, { throwIfNoEntry: false })
    if (found === undefined) return undefined
    if (found.isFile()) return `${found.dev}:${found.ino}`
    const what = found.isDirectory() ? 'a directory' : 'not a file'
    throw refuse.store_unusable`${path} is ${what}; ${field('db')} names a file`
  } catch (error) {
    throw fileRefusal(error, path)
  }
}

/** Creates the file before SQLite opens it, so that it's private from the start. */
function makeFile(path: string): string {
  try {
    fs.mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
    fs.closeSync(fs.openSync(path, 'wx', 0o600))
  } catch (error) {
    // Another process was faster, or the path is a link: SQLite would create its target, readable by everyone.
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw fileRefusal(error, path)
  }
  const identity = fileIdentity(path)
  if (identity !== undefined) return identity
  throw refuse.store_unusable`${path} is a link to a file that does not exist; name that file with ${field('db')}`
}

function fileRefusal(error: unknown, path: string): Refusal {
  if (error instanceof Refusal) return error
  const { code } = error as NodeJS.ErrnoException
  const why =
    {
      EACCES: 'permission denied',
      EROFS: 'the file system is read-only',
      ENOSPC: 'the disk is full',
    }[code ?? ''] ?? String(code)
  return refuse.store_unusable`cannot make the store ${path}: ${why}; name another with ${field('db')}`
}

function setJournal(db: DatabaseSync, path: string, journal: Journal): void {
  const { journal_mode: mode } = db.prepare(`pragma journal_mode = ${journal}`).get() as {
    journal_mode: string
  }
  if (mode === journal) return
  throw journal === 'delete'
    ? refuse.store_unusable`${path} is in use in WAL mode on a file system where that is unsafe; close every program that uses it, or move it to a local disk`
    : refuse.store_unusable`${path} cannot use a write-ahead log here (SQLite answered ${quote(mode)}); move it to a local disk`
}

function refuseOldSqlite(version: string): void {
  const parts = version.split('.').map(Number)
  for (let i = 0; i < 3; i++) {
    const have = parts[i] ?? 0
    const want = OLDEST_SQLITE[i] as number
    if (have > want) return
    if (have < want)
      throw refuse.store_unusable`SQLite ${version} can lose commits; ${OLDEST_SQLITE.join('.')} or newer is needed (Bun 1.4 or Node 24.21)`
  }
}
