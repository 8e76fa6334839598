// The changes between two JSON values, as a list that people can read: path, old value, new value.
//
// (1) Objects are compared key by key, and only differences are listed.
// (2) List elements are matched by `id`, or else by `name`, if every element of both lists has one and it's unique in
//     its list. So inserting an element at the front doesn't change all the others. A different order is a separate
//     change. Other lists are compared by position.
// (3) A change of a value's type, or of a string, is a single change.

import { canonicalText, isObject, type Json } from '../json.ts'

/** One change. `before` is missing if the value was added, `after` if it was removed. */
export type Change = { path: string; before?: Json; after?: Json }

export function changesBetween(before: Json, after: Json): Change[] {
  return compare('', before, after)
}

function compare(path: string, before: Json | undefined, after: Json | undefined): Change[] {
  if (before === undefined) return after === undefined ? [] : [{ path, after }]
  if (after === undefined) return [{ path, before }]
  if (isObject(before) && isObject(after)) return compareObjects(path, before, after)
  if (Array.isArray(before) && Array.isArray(after)) return compareLists(path, before, after)
  return canonicalText(before) === canonicalText(after) ? [] : [{ path, before, after }]
}

type JsonObject = { [key: string]: Json }

function compareObjects(path: string, before: JsonObject, after: JsonObject): Change[] {
  const keys = new Set([...Object.keys(before), ...Object.keys(after)])
  return [...keys].flatMap((key) =>
    compare(`${path}/${escaped(key)}`, own(before, key), own(after, key)),
  )
}

function compareLists(path: string, before: Json[], after: Json[]): Change[] {
  const key = ['id', 'name'].find((one) => isKeyed(before, one) && isKeyed(after, one))
  if (key === undefined) {
    const length = Math.max(before.length, after.length)
    return Array.from({ length }, (_, at) => at).flatMap((at) =>
      compare(`${path}/${at}`, before[at], after[at]),
    )
  }
  const [old, now] = [byKey(before, key), byKey(after, key)]
  const inside = [...new Set([...old.keys(), ...now.keys()])].flatMap((value) =>
    compare(`${path}/[${key}=${escaped(value)}]`, old.get(value), now.get(value)),
  )
  const orders = [
    [...old.keys()].filter((value) => now.has(value)),
    [...now.keys()].filter((value) => old.has(value)),
  ] as const
  const isMoved = orders[0].some((value, at) => value !== orders[1][at])
  const moved = isMoved ? [{ path: `${path}/[order]`, before: orders[0], after: orders[1] }] : []
  return [...moved, ...inside]
}

function isKeyed(list: readonly Json[], key: string): boolean {
  const values = list.map((one) => (isObject(one) ? own(one, key) : undefined))
  const isKey = (value: Json | undefined) => typeof value === 'string' || typeof value === 'number'
  return values.every(isKey) && new Set(values.map(String)).size === values.length
}

function byKey(list: readonly Json[], key: string): Map<string, Json> {
  return new Map(list.map((one) => [String((one as JsonObject)[key]), one]))
}

/** A payload can have a key such as `__proto__`, which every object appears to have. */
function own(object: JsonObject, key: string): Json | undefined {
  return Object.hasOwn(object, key) ? object[key] : undefined
}

/** Escapes the key as in JSON Pointer (RFC 6901), because it can contain a slash. */
function escaped(key: string): string {
  return key.replaceAll('~', '~0').replaceAll('/', '~1')
}
