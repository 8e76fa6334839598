// Whether the files that SQLite has open are still those that their folder shows. SQLite itself does not ask: it goes on
// writing into a file that was removed, or whose name another file has by now, and everything in it is gone when the last
// process closes it. `git clean`, `git stash -u` and a restored backup do this.
//
// (1) Asked after BEGIN: what is refused here is stored nowhere. Asked again after COMMIT, before anybody is answered: what
//     was acknowledged was, after its commit, in the files that the folder shows.
// (2) Asked by stat: opening the file beside SQLite would drop its locks. A number of a file that is open is given to no
//     other file, so equal numbers mean the same file.
// (3) The write-ahead log and its index are asked for as well: commits are in the log first, and the locks are in the index.
// (4) Once another file was there, the store stays gone for this process: its open files may share a log with the new store.

import fs from 'node:fs'
import { type Refusal, refuse } from '../../core/error.ts'
import { GONE } from './errors.ts'

export type SameFiles = {
  /** Throws if a file is no longer the one that is open. */
  mustBeShown: () => void
  /** Throws if it was found so before. Costs no look. */
  mustNotBeGone: () => void
  /** Resolves, with the reason, when the files are found gone. */
  gone: Promise<Refusal>
  /**
   * Removes the log and its index if they were left beside another file than theirs: SQLite would read that one through
   * them. First `empty` copies the log into its own file, which may live on under another name. Only right after the loss:
   * a log that the new file has had for a while may be its own by now.
   */
  removeLeftLog: (empty: () => boolean) => void
}

/** Followers look every second. Within this time nobody has done much with another file. */
const SOON_MS = 5000

/** `file` is the path as the caller wrote it, `real` the one behind links, beside which SQLite has its log. */
export function watchFiles({
  file,
  real,
  identity,
  hasLog,
}: {
  file: string
  real: string
  identity: string
  hasLog: boolean
}): SameFiles {
  const logs = hasLog ? [`${real}-wal`, `${real}-shm`] : []
  const known = new Map(logs.map((path) => [path, shownAt(path)]))
  const { promise: gone, resolve } = Promise.withResolvers<Refusal>()
  let lost: { path: string; isNew: boolean } | undefined
  let lastShown = performance.now()

  const isShown = (path: string): boolean => {
    const is = shownAt(path)
    const was = path === file ? identity : known.get(path)
    // SQLite makes the log and its index when it first needs them.
    if (was === undefined) known.set(path, is)
    return was === undefined || is === was
  }
  const refusal = (path: string) => refuse('store_unusable', `${path} ${GONE}`)

  return {
    gone,
    mustNotBeGone() {
      if (lost !== undefined) throw refusal(lost.path)
    },
    mustBeShown() {
      if (lost !== undefined) throw refusal(lost.path)
      const path = [file, ...logs].find((one) => !isShown(one))
      if (path === undefined) {
        lastShown = performance.now()
        return
      }
      lost = { path, isNew: performance.now() - lastShown < SOON_MS }
      resolve(refusal(path))
      throw refusal(path)
    },
    removeLeftLog(empty) {
      if (lost?.path !== file || !lost.isNew || !logs.every(isShown) || !empty()) return
      for (const path of logs) if (isShown(path)) fs.rmSync(path, { force: true })
    },
  }
}

/** For a store that is in no file. */
export const NO_FILES: SameFiles = {
  mustBeShown() {},
  mustNotBeGone() {},
  gone: new Promise(() => {}),
  removeLeftLog() {},
}

/** Tells the file that has this name now from every other; undefined when there is none. */
function shownAt(path: string): string | undefined {
  try {
    const found = fs.statSync(path, { throwIfNoEntry: false })
    return found && `${found.dev}:${found.ino}`
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    // A folder above it is no folder any more.
    if (code === 'ENOTDIR') return undefined
    // Nobody can tell whether it is still there.
    throw refuse('store_unusable', `${path} cannot be found (${code}); check its folder`)
  }
}
