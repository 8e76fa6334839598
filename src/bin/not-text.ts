// Finds the argument or variable of ours whose bytes are not UTF-8. The runtime hands out a sign in place of such
// bytes, and the sign would be stored, or name another store. Only where there is one are the bytes themselves looked
// at, in what the system keeps of a process.

import fs from 'node:fs'

const SIGN = '\uFFFD'

export function notText(args: readonly string[], env: NodeJS.ProcessEnv): string | undefined {
  if (args.some((word) => word.includes(SIGN))) {
    const at = bytesIn('cmdline').slice(-args.length).findIndex(isNoText)
    if (at >= 0) return called(args, at)
  }
  // By their names alone: the runtime decodes a variable when it is read.
  const own = Object.keys(env).filter((name) => name.startsWith('INBOX_'))
  if (!own.some((name) => env[name]?.includes(SIGN))) return undefined
  const wrong = bytesIn('environ').filter(isNoText)
  return own.find((name) => wrong.some((one) => one.startsWith(`${name}=`)))
}

/** A value is known by the flag before it. */
function called(args: readonly string[], at: number): string {
  const word = args[at] ?? ''
  const before = args[at - 1] ?? ''
  if (/^--[\w-]+=/.test(word)) return word.slice(0, word.indexOf('='))
  return /^--[\w-]+$/.test(before) ? before : `word ${at + 1} of the command`
}

/** The bytes as they were given, each as the letter of its number. */
function bytesIn(name: 'cmdline' | 'environ'): string[] {
  try {
    return fs.readFileSync(`/proc/self/${name}`, 'latin1').split('\0').slice(0, -1)
  } catch {
    // Other systems do not show them; there the sign is taken for what was meant.
    return []
  }
}

function isNoText(letters: string): boolean {
  const bytes = Uint8Array.from(letters, (letter) => letter.charCodeAt(0))
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes)
    return false
  } catch {
    return true
  }
}
