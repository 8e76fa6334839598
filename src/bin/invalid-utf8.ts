// Finds an argument or INBOX_ variable that is not UTF-8. The runtime puts the replacement character in place of such
// bytes, which would then be stored or name another store. The bytes themselves are read from /proc, and only when
// the character occurs.

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

/** Names a value by the flag before it. */
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
    // Without /proc, the replacement character counts as what the caller typed.
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
