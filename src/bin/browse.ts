// Opens an address in the owner's browser, and leaves it to itself.

import { spawn } from 'node:child_process'
import { environment } from './environment.ts'

/** BROWSER is what other programs ask too: a program and its arguments, before the address. */
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
