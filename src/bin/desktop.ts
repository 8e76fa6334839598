// Opens windows on the owner's machine: a terminal with a command in a folder, or an address in the browser. The
// programs keep running without us.

import { spawn } from 'node:child_process'
import { quote, refuse } from '../core/error.ts'
import { environment } from './environment.ts'

/** `configured` is a program with arguments; the command follows unchanged. */
export async function startTerminal(
  configured: string,
  command: readonly string[],
  folder: string | undefined,
): Promise<void> {
  const [program, ...words] = configured.split(/\s+/).filter((word) => word !== '')
  if (program === undefined)
    throw refuse.invalid_input`INBOX_TERMINAL is empty: name a program, or unset it`
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
      reject(refuse.invalid_input`${what}`)
    })
  })
  child.unref()
}

/** Reads BROWSER as other programs do: a program with arguments, followed by the address. */
function programs(): string[][] {
  const configured = (process.env.BROWSER ?? '').split(/\s+/).filter((word) => word !== '')
  if (configured.length > 0) return [configured]
  return process.platform === 'darwin' ? [['/usr/bin/open']] : [['xdg-open'], ['wslview']]
}

export async function browse(url: string): Promise<boolean> {
  for (const [program, ...words] of programs()) {
    if (await starts(program as string, [...words, url])) return true
  }
  return false
}

function starts(program: string, words: string[]): Promise<boolean> {
  const child = spawn(program, words, { env: environment({}), stdio: 'ignore', detached: true })
  return new Promise((resolve) => {
    child.once('spawn', () => {
      child.unref()
      resolve(true)
    })
    child.once('error', () => resolve(false))
  })
}
