// Decides whether an entry in a file is the one we wrote, and merges a new version into it.

import { refuse } from '../core/error.ts'

type Members = Record<string, unknown>

/** These keys determine what an entry starts or connects to, so they identify it. Users may change all other keys. */
const REACH = ['command', 'args', 'url', 'httpUrl']

export function isSameEntry(there: unknown, ours: unknown): boolean {
  if (!isMembers(there) || !isMembers(ours)) return isEqual(there, ours)
  return REACH.every((key) => isEqual(there[key], ours[key]))
}

/** The new entry, with what users added or changed since the old one was written. */
export function mergeEntry(there: unknown, old: unknown, wanted: unknown): unknown {
  if (!isMembers(there) || !isMembers(old) || !isMembers(wanted)) {
    return isEqual(old, wanted) ? there : wanted
  }
  const kept = Object.keys(there).filter((key) => key in wanted || !(key in old))
  const keys = [...new Set([...kept, ...Object.keys(wanted)])]
  return Object.fromEntries(
    keys.map((key) => {
      if (!(key in wanted)) return [key, there[key]]
      return [key, key in there ? mergeEntry(there[key], old[key], wanted[key]) : wanted[key]]
    }),
  )
}

/** Explains, according to the receipt, why an entry is left alone, and what the user can do. */
export function explainLeaving(before: readonly unknown[], remedy: string): string {
  if (before.length > 0) return `changed since it was written; ${remedy}`
  return `not written by us; ${remedy} (if the folder was moved, say where it was with --was)`
}

export function tooDeep(file: string) {
  return refuse.invalid_input`${file} is nested too deeply to be read; fix it first (it was not changed)`
}

export function isMembers(value: unknown): value is Members {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function isEqual(a: unknown, b: unknown): boolean {
  return JSON.stringify(a) === JSON.stringify(b)
}
