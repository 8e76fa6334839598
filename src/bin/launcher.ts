// The launch port of this process. Loads the code for starting programs only when needed: most commands start none.

import { existsSync } from 'node:fs'
import { basename, join } from 'node:path'
import type { Launcher, Surroundings } from '../core/waking/launch.ts'
import { isProgram } from '../doors/cli/program.ts'
import { AROUND, TOKEN } from './environment.ts'

export function makeLauncher(address: string, program = ownProgram()): Launcher {
  const around = JSON.parse(process.env[AROUND] ?? '{}') as Surroundings
  return {
    token: process.env[TOKEN],
    around,
    supervise: async (what, its) =>
      (await import('./launch.ts')).supervise(program, address, { what, around: its }),
    start: async (wanted) =>
      (await import('./launch.ts')).startProgram(wanted, { address, around }),
    leave: () => process.exit(50),
  }
}

/** The command that starts this program: the built executable, or the runtime with a script when run from source. */
export function ownProgram(): string[] {
  const script = process.argv[1] ?? ''
  const isBuilt = /^(\/|[A-Z]:[\\/])(\$bunfs|~BUN)[\\/]/.test(script)
  return isBuilt || script === '' ? underOwnName(process.execPath) : [process.execPath, script]
}

/** The executable may have been started under another of its names, which doesn't offer the commands of `inbox`. */
function underOwnName(path: string): string[] {
  const name = basename(path).replace(/\.exe$/, '')
  if (!isProgram(name) || name === 'inbox') return [path]
  const beside = join(path, '..', basename(path).replace(name, 'inbox'))
  return existsSync(beside) ? [beside] : [path, 'inbox']
}
