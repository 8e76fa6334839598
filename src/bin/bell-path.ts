// The path of a store's file behind every link to it. SQLite keeps its log there, so the bell hangs there
// too, and programs that name the store by another path still hear it.

import fs from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'

/** The system itself follows no more links in a row. */
const LINKS_LIMIT = 40

export function bellPath(store: string): string {
  return `${behindLinks(store)}.bell`
}

export function behindLinks(store: string): string {
  let path = store
  // The links are followed by hand: to resolve the file in one call a runtime may open it, which would cost
  // SQLite its locks.
  for (let links = 0; links < LINKS_LIMIT; links++) {
    path = join(fs.realpathSync(dirname(path)), basename(path))
    if (!fs.lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink()) break
    path = resolve(dirname(path), fs.readlinkSync(path))
  }
  return path
}
