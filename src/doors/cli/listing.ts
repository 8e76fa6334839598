import { loadAll } from '../../ops/catalogue.ts'
import type { Operation } from '../../ops/kit/operation.ts'

export async function operations(): Promise<Operation[]> {
  return (await loadAll()).filter((op) => !op.internal)
}

export function groupsOf<T extends { name: string }>(ops: readonly T[]): Map<string, T[]> {
  const groups = new Map<string, T[]>()
  for (const op of ops) {
    for (const group of beginnings(op.name)) groups.set(group, [...(groups.get(group) ?? []), op])
  }
  return groups
}

/** The longest group that the words begin with, and the words after it. */
export function groupIn(words: string[], ops: Operation[]) {
  const groups = groupsOf(ops)
  const count = words.findLastIndex((_, i) => groups.has(words.slice(0, i + 1).join(' '))) + 1
  const group = words.slice(0, count).join(' ')
  return { group, members: groups.get(group), rest: words.slice(count) }
}

/** Returns `workflow` and `workflow context` for `workflow context read`. */
function beginnings(name: string): string[] {
  const words = name.split(' ')
  return words.slice(1).map((_, i) => words.slice(0, i + 1).join(' '))
}
