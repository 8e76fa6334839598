// SQLite's errors become refusals only here. Unknown errors are treated as bugs.

import {
  field,
  operation,
  type Refusal,
  refuse,
  type Sentence,
  sentence,
} from '../../core/error.ts'

export const GONE = 'was replaced or removed while in use; start again'

const DISK_FULL = {
  code: 'store_unusable',
  why: 'cannot grow: the disk is full; free some space and try again',
} as const

// Keyed by the extended error code if it's more specific, otherwise by the primary one.
const SQLITE_WORDS: Record<number, { code: 'busy' | 'store_unusable'; why: Sentence }> = {
  5: { code: 'busy', why: 'is locked by another process; try again' },
  6: { code: 'busy', why: 'is locked by another process; try again' },
  8: {
    code: 'store_unusable',
    why: sentence`is read-only, or its folder, -wal or -shm file is; change the permissions or name another with ${field('db')}`,
  },
  10: { code: 'store_unusable', why: sentence`has a disk error; run ${operation('doctor')}` },
  11: {
    code: 'store_unusable',
    why: "is damaged; restore a backup (made with 'inbox backup')",
  },
  13: DISK_FULL,
  // SQLITE_IOERR_SHMSIZE: no room for the index of the write-ahead log.
  4874: DISK_FULL,
  // SQLITE_READONLY_DBMOVED. With a write-ahead log, SQLite doesn't check for this.
  1032: { code: 'store_unusable', why: GONE },
  14: {
    code: 'store_unusable',
    why: 'cannot be opened; check the path, its permissions and how many files may be open (ulimit -n)',
  },
  26: {
    code: 'store_unusable',
    why: sentence`is not a database; name another file with ${field('db')}`,
  },
}

export function sqliteRefusal(error: unknown, path: string): unknown {
  const errcode = (error as { errcode?: unknown }).errcode
  if (typeof errcode !== 'number') return error
  const words = SQLITE_WORDS[errcode] ?? SQLITE_WORDS[errcode & 0xff]
  return words === undefined ? error : refuse[words.code]`${path} ${words.why}`
}

export function diskFull(path: string): Refusal {
  return refuse[DISK_FULL.code]`${path} ${DISK_FULL.why}`
}

/** Whether the file is damaged or isn't a SQLite database. */
export function isDamage(error: unknown): boolean {
  const errcode = (error as { errcode?: unknown }).errcode
  return typeof errcode === 'number' && ((errcode & 0xff) === 11 || (errcode & 0xff) === 26)
}

export function isBusy(error: unknown): boolean {
  const errcode = (error as { errcode?: unknown }).errcode
  return typeof errcode === 'number' && ((errcode & 0xff) === 5 || (errcode & 0xff) === 6)
}
