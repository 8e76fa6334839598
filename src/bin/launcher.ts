// The launch port of this process. What starts programs is loaded when one is started: the commands a
// worker calls all day start none.

import type { Launcher } from '../core/launch.ts'
import { TOKEN } from './wake-token.ts'

export function makeLauncher(address: string, program = ownProgram()): Launcher {
  return {
    token: process.env[TOKEN],
    supervise: async (wake) => (await import('./launch.ts')).supervise(program, address, wake),
    start: async (wanted) => (await import('./launch.ts')).startProgram(wanted, address),
    leave: () => process.exit(50),
  }
}

/** The executable is one file; from source it is the runtime with a script. */
export function ownProgram(): string[] {
  const script = process.argv[1] ?? ''
  const isBuilt = /^(\/|[A-Z]:[\\/])(\$bunfs|~BUN)[\\/]/.test(script)
  return isBuilt || script === '' ? [process.execPath] : [process.execPath, script]
}
