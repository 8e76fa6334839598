// The launch port of this process. The code that starts programs is loaded on first use, because everyday
// commands start none.

import type { Launcher, Surroundings } from '../core/waking/launch.ts'
import { AROUND, TOKEN } from './wake-token.ts'

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
  return isBuilt || script === '' ? [process.execPath] : [process.execPath, script]
}
