// The canonical text of a JSON value (RFC 8785): two texts of one value give the same canonical text, so its digest
// says whether two payloads are equal. Numbers that JSON cannot keep and keys that come twice are refused where
// the payload is read (src/ops/kit/exact-numbers.ts), because here they can no longer be seen.

import type { Json } from './json.ts'

export function canonicalText(value: Json): string {
  if (value === null || typeof value !== 'object') return JSON.stringify(value)
  if (Array.isArray(value)) return `[${value.map(canonicalText).join(',')}]`
  // The order is that of UTF-16 code units, which is how JavaScript compares texts.
  const keys = Object.keys(value).sort()
  const members = keys.map((key) => `${JSON.stringify(key)}:${canonicalText(value[key] as Json)}`)
  return `{${members.join(',')}}`
}
