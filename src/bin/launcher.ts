// The launch port of this process. The code that starts programs is loaded on first use, because everyday
// commands start none.

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

/** The built executable is one file; run from source, it is the runtime with a script. */
export function ownProgram(): string[] {
  const script = process.argv[1] ?? ''
  const isBuilt = /^(\/|[A-Z]:[\\/])(\$bunfs|~BUN)[\\/]/.test(script)
  return isBuilt || script === '' ? underOwnName(process.execPath) : [process.execPath, script]
}

/** The file may be called by another of its names, under which the commands of `inbox` are not at hand. */
function underOwnName(path: string): string[] {
  const name = basename(path).replace(/\.exe$/, '')
  if (!isProgram(name) || name === 'inbox') return [path]
  const beside = join(path, '..', basename(path).replace(name, 'inbox'))
  return existsSync(beside) ? [beside] : [path, 'inbox']
}
