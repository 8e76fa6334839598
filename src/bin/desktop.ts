// Opens windows on the owner's machine: a terminal that runs a command in a folder, or a URL in the browser. These
// programs keep running after we exit.

import { spawn } from 'node:child_process'
import { quote, refuse } from '../core/error.ts'
import { environment } from './environment.ts'
import { hasStarted } from './launch.ts'

/** `configured` is a program with arguments, to which the command is appended unchanged. */
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
  await hasStarted(child).catch(({ message: code }: Error) => {
    const where = folder === undefined ? '' : ` in ${quote(folder)}`
    throw refuse.invalid_input`INBOX_TERMINAL ${quote(program)} cannot be started${where}: ${code}`
  })
  child.unref()
}

/** Reads BROWSER as other programs do: as a program with arguments, to which the address is appended. */
function programs(): string[][] {
  const configured = (process.env.BROWSER ?? '').split(/\s+/).filter((word) => word !== '')
  if (configured.length > 0) return [configured]
  return process.platform === 'darwin' ? [['/usr/bin/open']] : [['xdg-open'], ['wslview']]
}

export async function browse(url: string): Promise<boolean> {
  for (const [program, ...words] of programs()) {
    const how = { env: environment({}), stdio: 'ignore', detached: true } as const
    const child = spawn(program as string, [...words, url], how)
    try {
      await hasStarted(child)
    } catch {
      // Try the next program.
      continue
    }
    child.unref()
    return true
  }
  return false
}
