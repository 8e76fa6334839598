// Where benches keep their stores: in the repository, because the system's temporary folder may be in memory, where a
// flush costs nothing.

import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { slowFlush } from '../test/tools/flush.ts'
import { SLOW_FLUSH_MS } from './report.ts'

const CACHE = join(import.meta.dirname, '..', '.cache', 'bench')

/** Removes the folder when the work ends, even if it fails. */
export async function inFolder<T>(work: (folder: string) => Promise<T>): Promise<T> {
  mkdirSync(CACHE, { recursive: true })
  const folder = mkdtempSync(join(CACHE, 'run-'))
  try {
    return await work(folder)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

export const DISKS = ['fast', 'slow'] as const
export type Disk = (typeof DISKS)[number]

/** The environment of a measured process: unchanged, or with slow flushes. */
export function diskEnv(disk: Disk): Record<string, string> {
  return disk === 'slow' ? slowFlush(SLOW_FLUSH_MS) : {}
}
