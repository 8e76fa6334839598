// Copies a SQLite store to a new file.
//
// (1) The copy has a temporary name, FILE.inbox-ID, until it's complete and flushed. A killed backup leaves it behind.
// (2) Next to it is a guard, FILE.inbox-ID-guard: an empty file that the backup locks before it makes the copy and
//     keeps locked until the copy is gone. The system releases the lock when the process dies.
// (3) Each backup first cleans up its folder. It only removes a copy whose guard exists and is unlocked, which means
//     that the backup that made it is no longer running.

import { closeSync, fsyncSync, linkSync, lstatSync, openSync, readdirSync, rmSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { refuse } from '../../../core/error.ts'
import { sqliteRefusal } from '../errors.ts'

const GUARD = /^.+\.inbox-[0-9a-z]+-guard$/

export function backUp(db: DatabaseSync, file: string): void {
  try {
    tidy(dirname(file))
    const copy = beginCopy(file)
    try {
      db.prepare('vacuum into ?1').run(copy.path)
      // No other process knows about the copy before it gets its final name, so it's safe to open it next to SQLite.
      flush(copy.path)
      // A link instead of a rename: if two backups use the same name, the second one fails and nothing is lost.
      linkSync(copy.path, file)
      flush(dirname(file))
    } finally {
      copy.end()
    }
  } catch (error) {
    throw backupRefusal(error, file)
  }
}

/** Creates the empty file that SQLite fills. Like the store itself, it's private from the start. */
export function beginCopy(file: string): { path: string; end(): void } {
  const path = `${file}.inbox-${Math.random().toString(36).slice(2)}`
  const guard = guardOf(path)
  closeSync(openSync(guard, 'wx', 0o600))
  const lock = lockFile(guard)
  const end = () => {
    removeCopy(path)
    lock?.close()
  }
  try {
    closeSync(openSync(path, 'wx', 0o600))
  } catch (error) {
    end()
    throw error
  }
  return { path, end }
}

function tidy(folder: string): void {
  for (const name of readdirSync(folder).filter((one) => GUARD.test(one))) {
    const guard = join(folder, name)
    const found = lstatSync(guard, { throwIfNoEntry: false })
    if (found === undefined || !found.isFile() || found.size > 0) continue
    const lock = lockFile(guard)
    if (lock === null) continue
    removeCopy(join(folder, basename(guard, '-guard')))
    lock.close()
  }
}

function guardOf(path: string): string {
  return `${path}-guard`
}

/** Removes the guard last: as long as it exists, the next backup can find what was left behind. */
function removeCopy(path: string): void {
  for (const one of [`${path}-journal`, path, guardOf(path)]) rmSync(one, { force: true })
}

/** Null if another process has the lock, or the file can't be locked. */
function lockFile(path: string): DatabaseSync | null {
  let db: DatabaseSync | undefined
  try {
    db = new DatabaseSync(path, { timeout: 0 })
    db.exec('pragma journal_mode = memory; begin exclusive')
    return db
  } catch {
    db?.close()
    return null
  }
}

function flush(path: string): void {
  const fd = openSync(path, 'r')
  fsyncSync(fd)
  closeSync(fd)
}

function backupRefusal(error: unknown, file: string): unknown {
  const { code } = error as NodeJS.ErrnoException
  if (code === undefined || code === 'ERR_SQLITE_ERROR') return sqliteRefusal(error, file)
  if (code === 'EEXIST') return refuse.invalid_input`${file} exists; name a new file`
  return refuse.invalid_input`cannot write ${file}: ${code}`
}
