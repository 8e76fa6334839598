// Starts the owner's terminal with a command in a folder, and leaves it to itself.

import { spawn } from 'node:child_process'
import { quote, refuse } from '../core/error.ts'
import { environment } from './environment.ts'

/** `configured` is a program and its arguments; the words of the command follow unchanged. */
export async function startTerminal(
  configured: string,
  command: readonly string[],
  folder: string | undefined,
): Promise<void> {
  const [program, ...words] = configured.split(/\s+/).filter((word) => word !== '')
  if (program === undefined) {
    throw refuse('invalid_input', 'INBOX_TERMINAL is empty: name a program, or unset it')
  }
  const child = spawn(program, [...words, ...command], {
    cwd: folder,
    env: environment({}),
    stdio: 'ignore',
    detached: true,
    shell: false,
  })
  await new Promise<void>((resolve, reject) => {
    child.once('spawn', resolve)
    child.once('error', ({ code }: NodeJS.ErrnoException) => {
      const where = folder === undefined ? '' : ` in ${quote(folder)}`
      const what = `INBOX_TERMINAL ${quote(program)} cannot be started${where}: ${code}`
      reject(refuse('invalid_input', what))
    })
  })
  child.unref()
}
