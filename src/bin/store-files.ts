// The files of the stores that this process has opened. To close any descriptor of such a file drops all
// the locks that SQLite holds on it in this process, in silence: so nothing else here may open them, and
// what has opened one by a trick must never close it.

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
