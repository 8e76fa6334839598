// When what stands in a file is what we wrote there, and what becomes of it when we write it anew.

type Members = Record<string, unknown>

/** What makes an entry what it is: what it starts, or whom it asks. Anything else about it people may change. */
const REACH = ['command', 'args', 'url', 'httpUrl']

export function isSameEntry(there: unknown, ours: unknown): boolean {
  if (!isMembers(there) || !isMembers(ours)) return isEqual(there, ours)
  return REACH.every((key) => isEqual(there[key], ours[key]))
}

/** What is wanted now; with what somebody added or changed since it was written as it was. */
export function merged(there: unknown, old: unknown, wanted: unknown): unknown {
  if (!isMembers(there) || !isMembers(old) || !isMembers(wanted)) {
    return isEqual(old, wanted) ? there : wanted
  }
  const kept = Object.keys(there).filter((key) => key in wanted || !(key in old))
  const keys = [...new Set([...kept, ...Object.keys(wanted)])]
  return Object.fromEntries(
    keys.map((key) => {
      if (!(key in wanted)) return [key, there[key]]
      return [key, key in there ? merged(there[key], old[key], wanted[key]) : wanted[key]]
    }),
  )
}

/** Why it is left as it is, by what a receipt says of it, and what to do. */
export function leaving(before: readonly unknown[], remedy: string): string {
  if (before.length > 0) return `changed since it was written; ${remedy}`
  return `not written by us; ${remedy} (of a folder that was moved, say with --was where it was)`
}

function isMembers(value: unknown): value is Members {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function isEqual(a: unknown, b: unknown): boolean {
  return JSON.stringify(a) === JSON.stringify(b)
}
