// The files of the stores that this process has opened. Closing any descriptor of such a file silently
// drops all locks that SQLite holds on it in this process. So no other code here may open these files
// (open-inside.ts), and one that was opened by a trick must never be closed.

import fs from 'node:fs'
import { behindLinks } from './bell-path.ts'

const SUFFIXES = ['', '-wal', '-shm', '-journal']
const stores = new Set<string>()

export function keepFromOthers(path: string): void {
  stores.add(behindLinks(path))
}

export function isStoreFile({ dev, ino }: Pick<fs.Stats, 'dev' | 'ino'>): boolean {
  return [...stores].some((path) =>
    SUFFIXES.some((suffix) => {
      const found = fs.statSync(path + suffix, { throwIfNoEntry: false })
      return found?.ino === ino && found.dev === dev
    }),
  )
}
