// Checks that the files SQLite has open are still the ones in the folder. SQLite itself doesn't check: it keeps writing
// to a file that was removed or replaced, and everything in it is gone when the last process closes it. `git clean`,
// `git stash -u` and restoring a backup can cause this.
//
// (1) The files are checked after BEGIN, so nothing is stored if they're refused, and again after COMMIT, before the
//     caller gets an answer, so everything acknowledged was in the folder's files after its commit.
// (2) The check uses lstat, because opening the file next to SQLite would drop SQLite's locks. The inode number of an
//     open file isn't reused, so equal numbers mean the same file.
// (3) The write-ahead log and its index are checked as well: commits go to the log first, and the locks are in the
//     index. SQLite names them after the resolved path, so they're looked up where the next process to open the store
//     would find them: a link that replaces the file leads to the same file, but to another log.
// (4) After COMMIT, the log must still begin with its header and must not have been cut. Emptying it in place keeps its
//     inode number, but SQLite continues after the hole, and what it writes there would never be read.
// (5) In WAL mode the file itself is only written when the log is copied. It only gets shorter after it was rewritten,
//     and never shorter than its content requires. A file whose length has changed may have been overwritten in place,
//     so it's examined.
// (6) Once a different file has been found, the store stays gone for this process, because its open files may share a
//     log with the new store.

import fs from 'node:fs'
import { type Refusal, refuse } from '../../../core/error.ts'
import { GONE } from '../errors.ts'

export type SameFiles = {
  /** Throws if a file in the folder is no longer the one that's open. */
  mustBeShown: () => void
  /** The check after a commit. The log, which contains the commit, must not have been cut. */
  mustBeWritten: () => void
  /** Throws if an earlier check found the files gone. Doesn't check again. */
  mustNotBeGone: () => void
  /** Resolves with the reason when a check finds the files gone. */
  gone: Promise<Refusal>
  /**
   * Removes the log and its index if they were left next to a different file, which SQLite would read through them.
   * First, `empty` copies the log into the file it belongs to, which may still exist under another name. This is only
   * done right after the loss, because a log that has been next to the new file for a while may belong to it by now.
   */
  removeLeftLog: (empty: () => boolean) => void
  /** Whether the files can be closed. Closing could copy a log with holes, or copy into an overwritten file. */
  mayClose: () => boolean
  /** Call this after the last check. */
  end: () => void
}

/** Followers check every second, so a new file found within this time has hardly been used. */
const SOON_MS = 5000

/** `file` is the path as the caller wrote it; `real` is the path with links resolved, where SQLite keeps its log. */
export function watchFiles({
  file,
  real,
  identity,
  hasLog,
  isSound,
}: {
  file: string
  real: string
  identity: string
  hasLog: boolean
  /** Whether the file's new length is plausible. Rarely called, because it may read the whole file. */
  isSound: (bytes: number, before: number) => boolean
}): SameFiles {
  const ends = hasLog ? ['-wal', '-shm'] : []
  const known = new Map([
    ['', identity],
    ...ends.map((end) => [end, shownAt(real + end).is] as const),
  ])
  const isLink = shownAt(file).is !== identity
  let soundBytes = shownAt(real).size
  const { promise: gone, resolve } = Promise.withResolvers<Refusal>()
  let lost: { path: string; isNew: boolean; isOverwritten: boolean } | undefined
  let lastShown = performance.now()
  const log = hasLog ? watchLog(`${real}-wal`) : undefined

  /** The path at which the next process to open the file would find it. */
  const place = () => (isLink ? behindLinks(file) : file)
  let logBytes = 0
  let fileBytes = 0
  const isShown = (at: string, end: string): boolean => {
    const { is, size } = shownAt(at + end)
    if (end === '-wal') logBytes = size
    if (end === '') fileBytes = size
    const was = known.get(end)
    // SQLite creates the log and its index when it first needs them.
    if (was === undefined) known.set(end, is)
    return was === undefined || is === was
  }
  const refusal = (path: string) => refuse.store_unusable`${path} ${GONE}`
  const lose = (path: string, isOverwritten = false): Refusal => {
    lost = { path, isNew: performance.now() - lastShown < SOON_MS, isOverwritten }
    resolve(refusal(path))
    return refusal(path)
  }
  const mustBeShown = () => {
    if (lost !== undefined) throw refusal(lost.path)
    const at = place()
    const end = ['', ...ends].find((one) => !isShown(at, one))
    if (end !== undefined) throw lose(end === '' ? file : at + end)
    lastShown = performance.now()
  }

  return {
    gone,
    mustNotBeGone() {
      if (lost !== undefined) throw refusal(lost.path)
    },
    mustBeShown() {
      mustBeShown()
      log?.begin(logBytes)
      if (log === undefined || fileBytes === soundBytes) return
      if (!isSound(fileBytes, soundBytes)) throw lose(file, true)
      soundBytes = fileBytes
    },
    mustBeWritten() {
      mustBeShown()
      if (log?.isCut(logBytes)) throw lose(`${real}-wal`, true)
    },
    mayClose: () => lost?.isOverwritten !== true,
    end: () => log?.end(),
    removeLeftLog(empty) {
      if (lost?.path !== file || !lost.isNew) return
      if (!ends.every((end) => isShown(real, end))) return
      // The log no longer has a file to be copied into, so it's kept under a name that no program reads.
      if (lost.isOverwritten) fs.renameSync(`${real}-wal`, `${real}-wal.lost`)
      else if (!empty()) return
      for (const end of ends) if (isShown(real, end)) fs.rmSync(real + end, { force: true })
    },
  }
}

/** For a store without a file. */
export const NO_FILES: SameFiles = {
  mustBeShown() {},
  mustBeWritten() {},
  mustNotBeGone() {},
  gone: new Promise(() => {}),
  removeLeftLog() {},
  mayClose: () => true,
  end() {},
}

/** Identifies the file or link that has this name now. `is` is undefined if there is none. */
function shownAt(path: string): { is: string | undefined; size: number } {
  const found = look(path, () => fs.lstatSync(path, { throwIfNoEntry: false }))
  return found === undefined
    ? { is: undefined, size: 0 }
    : { is: `${found.dev}:${found.ino}`, size: found.size }
}

/** Returns a dangling link unchanged: no store has a link's inode number. */
function behindLinks(path: string): string {
  return look(path, () => fs.realpathSync(path)) ?? path
}

function look<T>(path: string, ask: () => T | undefined): T | undefined {
  try {
    return ask()
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    // A folder in the path is no longer a folder, or a link leads nowhere.
    if (code === 'ENOENT' || code === 'ENOTDIR' || code === 'ELOOP') return undefined
    // The file may or may not still exist.
    throw refuse.store_unusable`${path} cannot be found (${String(code)}); check its folder`
  }
}

const HEADER_BYTES = 32
/** The first four bytes of every log. The last bit gives the byte order of its checksums. */
const MAGIC = 0x377f0682

/**
 * Detects that the write-ahead log was emptied, cut or overwritten in place. The log can be opened next to SQLite,
 * because the locks are in its index and in the database file.
 *
 * A log only gets shorter when SQLite restarts it: either it's emptied and the next commit writes its header, or its
 * header is rewritten and then it's cut. So after a commit, a log that isn't empty begins with a header, and a log with
 * the same header as before hasn't become shorter.
 */
function watchLog(path: string) {
  const header = Buffer.alloc(HEADER_BYTES)
  const known = Buffer.alloc(HEADER_BYTES)
  let sizeAfter = 0
  let sizeBefore = 0
  let fd: number | undefined
  const readHeader = (): number => {
    try {
      fd ??= fs.openSync(path, 'r')
      return fs.readSync(fd, header, 0, HEADER_BYTES, 0)
    } catch {
      // There is no log yet; whether there should be one is checked elsewhere.
      return 0
    }
  }
  return {
    /** Call this while no one else can write. */
    begin(size: number) {
      sizeBefore = size
    },
    /** Call this after a commit. An empty log wasn't cut: its content is in the database file. */
    isCut(size: number): boolean {
      const read = size === 0 ? 0 : readHeader()
      if (read === 0) return false
      const isSame = header.equals(known)
      const isWhole = read === HEADER_BYTES && (header.readUInt32BE(0) & ~1) >>> 0 === MAGIC
      const isCut = !isWhole || (isSame && sizeBefore < sizeAfter)
      if (!isSame) header.copy(known)
      sizeAfter = size
      return isCut
    },
    end() {
      if (fd !== undefined) fs.closeSync(fd)
      fd = undefined
    },
  }
}
