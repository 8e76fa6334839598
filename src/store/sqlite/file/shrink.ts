// Keeps the write-ahead log small. SQLite copies the log into the file on its own, but yields to writers and only
// restarts the log if nothing was added. Four processes writing without pause outran it, to 50 MB and more, and any
// writer does while a backup is reading. So a writer that finds a large log empties it while the others wait.

import { statSync } from 'node:fs'
import type { Connection } from '../connection.ts'

/** Four times the size at which SQLite starts to copy. Emptying the log takes a fraction of a second. */
const LARGE_BYTES = 16 * 1024 * 1024
/** How long this process may block while it waits for a gap between two writers. */
const WAIT_MS = 100

export function makeShrinker(path: string) {
  let due = LARGE_BYTES
  return {
    isDue: () => logBytes(path) >= due,
    run(connect: () => Connection): void {
      try {
        const { db, files } = connect()
        // By now, the log may belong to another store.
        files.mustBeShown()
        try {
          db.exec(`pragma busy_timeout = ${WAIT_MS}; pragma wal_checkpoint(truncate)`)
        } finally {
          db.exec('pragma busy_timeout = 0')
        }
      } catch {
        // All writes were already committed. The next one will report a full disk or a missing store.
      }
      // The log can't be emptied during a long read, so attempts become less and less frequent.
      due = Math.max(LARGE_BYTES, logBytes(path) * 1.25)
    },
  }
}

/** A missing log counts as empty. File systems that can't share a log have none. */
export function logBytes(path: string): number {
  try {
    return statSync(`${path}-wal`, { throwIfNoEntry: false })?.size ?? 0
  } catch {
    // A folder in the path is no longer a folder.
    return 0
  }
}
