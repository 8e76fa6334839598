// Lets one process in at a time, without a lock that a killed process could leave behind. Each process raises a flag, a
// file named after itself, and continues only if it then sees no flag of another living process. If two overlap, the
// one that raised its flag later sees the other's, so they never both continue. Flags of dead processes are removed
// when found.

import { lstatSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

/**
 * A key for a process on this machine that no later process will have, and a check for whether a process is running.
 */
export type LivingProcess = { word: string; isRunning: (word: string) => boolean }

const WAIT_MS = 10_000
const PAUSE_MS = 5

export async function runAlone<R>(
  folder: string,
  name: string,
  living: LivingProcess,
  work: () => R,
): Promise<R> {
  const prefix = `${name}.flag.`
  const own = `${prefix}${encodeURIComponent(living.word)}.${crypto.randomUUID()}`
  const path = join(folder, own)
  const giveUp = performance.now() + WAIT_MS
  for (;;) {
    raise(folder, path)
    try {
      if (!isOtherUp(folder, prefix, own, living)) return work()
    } finally {
      rmSync(path, { force: true })
    }
    if (performance.now() > giveUp) {
      throw new Error(`other processes keep ${folder} busy; end them, and try again`)
    }
    // Two processes that saw each other's flags must not retry in lockstep.
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS * (1 + 4 * Math.random())))
  }
}

/** The previous process may be removing the empty folder at the same time. Creating it can then fail with EEXIST. */
function raise(folder: string, path: string): void {
  for (let tries = 0; ; tries += 1) {
    try {
      mkdirSync(folder, { recursive: true, mode: 0o700 })
      mustBeFolders(dirname(folder), folder)
      writeFileSync(path, '', { flag: 'wx', mode: 0o600 })
      return
    } catch (error) {
      const { code = '' } = error as NodeJS.ErrnoException
      if (!['ENOENT', 'EEXIST'].includes(code) || tries > 100) throw error
    }
  }
}

function mustBeFolders(...paths: string[]): void {
  for (const path of paths) {
    // A folder that's gone by now is created again on the next try.
    if (lstatSync(path, { throwIfNoEntry: false })?.isDirectory() === false) {
      throw new Error(`${path} is not a folder of its own; remove it, and try again`)
    }
  }
}

function isOtherUp(folder: string, prefix: string, own: string, living: LivingProcess): boolean {
  const others = readdirSync(folder).filter((name) => name.startsWith(prefix) && name !== own)
  const gone = others.filter((name) => !living.isRunning(wordIn(name, prefix)))
  for (const name of gone) rmSync(join(folder, name), { force: true })
  return gone.length < others.length
}

function wordIn(name: string, prefix: string): string {
  const [word = ''] = name.slice(prefix.length).split('.')
  return decodeURIComponent(word)
}
