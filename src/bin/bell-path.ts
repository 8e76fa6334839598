// Where a store's file is, behind every link to it: there SQLite keeps its log, and there its bell hangs, so
// that whoever names the store otherwise hears it, too.

import fs from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'

/** As many links in a row as the system itself would follow. */
const LINKS_LIMIT = 40

export function bellPath(store: string): string {
  return `${behindLinks(store)}.bell`
}

export function behindLinks(store: string): string {
  let path = store
  // By hand: to resolve the file in one call, a runtime may open it, which costs SQLite its locks.
  for (let links = 0; links < LINKS_LIMIT; links++) {
    path = join(fs.realpathSync(dirname(path)), basename(path))
    if (!fs.lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink()) break
    path = resolve(dirname(path), fs.readlinkSync(path))
  }
  return path
}
