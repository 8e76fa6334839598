// Finds the files of a SQLite store behind symbolic links, and tracks which of them this process has open.

import fs from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'

/** The kernel follows at most this many links in a row. */
const LINKS_LIMIT = 40

/** The bell file sits next to the real store file, like SQLite's log, so programs share it whatever path they use. */
export function bellPath(store: string): string {
  return `${followLinks(store)}.bell`
}

function followLinks(store: string): string {
  let path = store
  // Resolve links by hand: the runtime's realpath may open the file, and SQLite would lose its locks.
  for (let links = 0; links < LINKS_LIMIT; links++) {
    path = join(fs.realpathSync(dirname(path)), basename(path))
    if (!fs.lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink()) break
    path = resolve(dirname(path), fs.readlinkSync(path))
  }
  return path
}

const SUFFIXES = ['', '-wal', '-shm', '-journal']
/**
 * The stores that this process has opened. Closing any descriptor of such a file silently drops all locks that SQLite
 * holds on it in this process. So no other code here may open these files (open-inside.ts), and a descriptor that this
 * process was tricked into opening must never be closed.
 */
const stores = new Set<string>()

export function keepFromOthers(path: string): void {
  stores.add(followLinks(path))
}

export function isStoreFile({ dev, ino }: Pick<fs.Stats, 'dev' | 'ino'>): boolean {
  return [...stores].some((path) =>
    SUFFIXES.some((suffix) => {
      const found = fs.statSync(path + suffix, { throwIfNoEntry: false })
      return found?.ino === ino && found.dev === dev
    }),
  )
}
