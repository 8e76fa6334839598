// The owner's terminal, started with a command in a folder and left to itself.

import { quote, refuse } from '../core/error.ts'
import type { Context } from '../ops/operation.ts'
import { environment } from './launch.ts'

/** `configured` is a program and its words; the command follows them, each word as it is. */
export function terminalFrom(configured: string | undefined): Context['terminal'] {
  const [program, ...words] = (configured ?? '').split(/\s+/).filter((word) => word !== '')
  if (program === undefined) return undefined
  return async (command, folder) => {
    const { spawn } = process.getBuiltinModule('node:child_process')
    const child = spawn(program, [...words, ...command], {
      cwd: folder,
      env: environment({}),
      stdio: 'ignore',
      detached: true,
      shell: false,
    })
    await new Promise<void>((resolve, reject) => {
      child.once('spawn', resolve)
      child.once('error', ({ code }: NodeJS.ErrnoException) =>
        reject(
          refuse(
            'invalid_input',
            `INBOX_TERMINAL ${quote(program)} cannot be started${folder === undefined ? '' : ` in ${quote(folder)}`}: ${code}`,
          ),
        ),
      )
    })
    child.unref()
  }
}
