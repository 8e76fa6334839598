// Finds an argument or INBOX_ variable that isn't UTF-8. The runtime replaces invalid bytes with the replacement
// character, which would be stored or name a different store. The original bytes are read from /proc, but only if that
// character occurs.

import fs from 'node:fs'

const REPLACEMENT = '\uFFFD'

export function findInvalidUtf8(
  args: readonly string[],
  env: NodeJS.ProcessEnv,
): string | undefined {
  if (args.some((word) => word.includes(REPLACEMENT))) {
    const at = bytesIn('cmdline').slice(-args.length).findIndex(isBroken)
    if (at >= 0) return nameArgument(args, at)
  }
  // Look at names first: the runtime decodes a variable only when it is read.
  const own = Object.keys(env).filter((name) => name.startsWith('INBOX_'))
  if (!own.some((name) => env[name]?.includes(REPLACEMENT))) return undefined
  const wrong = bytesIn('environ').filter(isBroken)
  return own.find((name) => wrong.some((one) => one.startsWith(`${name}=`)))
}

/** Describes an argument by the flag it belongs to, or else by its position. */
function nameArgument(args: readonly string[], at: number): string {
  const word = args[at] ?? ''
  const before = args[at - 1] ?? ''
  if (/^--[\w-]+=/.test(word)) return word.slice(0, word.indexOf('='))
  return /^--[\w-]+$/.test(before) ? before : `word ${at + 1} of the command`
}

/** The original bytes, each as one latin1 character. */
function bytesIn(name: 'cmdline' | 'environ'): string[] {
  try {
    return fs.readFileSync(`/proc/self/${name}`, 'latin1').split('\0').slice(0, -1)
  } catch {
    // Without /proc, assume that the caller typed the replacement character.
    return []
  }
}

function isBroken(letters: string): boolean {
  const bytes = Uint8Array.from(letters, (letter) => letter.charCodeAt(0))
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes)
    return false
  } catch {
    return true
  }
}
