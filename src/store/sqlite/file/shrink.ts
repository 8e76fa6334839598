// Keeps the write-ahead log small. SQLite copies the log into the file on its own, but yields to writers and restarts
// the log only if nothing was added: four processes writing without pause outran it, to 50 MB and more, and so does
// any writer while a backup reads. So a writer that finds a large log empties it while the others wait.

import { statSync } from 'node:fs'
import type { Connection } from '../connection.ts'

/** Four times what SQLite lets accumulate before it copies. Emptying it takes a fraction of a second. */
const LARGE_BYTES = 16 * 1024 * 1024
/** How long this process blocks to get between two writers. */
const WAIT_MS = 100

export function makeShrinker(path: string) {
  let due = LARGE_BYTES
  return {
    isDue: () => logBytes(path) >= due,
    run(connect: () => Connection): void {
      try {
        const { db, files } = connect()
        // The log may be another store's by now.
        files.mustBeShown()
        try {
          db.exec(`pragma busy_timeout = ${WAIT_MS}; pragma wal_checkpoint(truncate)`)
        } finally {
          db.exec('pragma busy_timeout = 0')
        }
      } catch {
        // Everything was committed. The next write will report a full disk or a missing store.
      }
      // Nothing helps during a long read, so tries become less and less frequent.
      due = Math.max(LARGE_BYTES, logBytes(path) * 1.25)
    },
  }
}

/** A missing log, as on file systems that can't share one, counts as a small one. */
export function logBytes(path: string): number {
  try {
    return statSync(`${path}-wal`, { throwIfNoEntry: false })?.size ?? 0
  } catch {
    // A folder in the path is no longer a folder.
    return 0
  }
}
