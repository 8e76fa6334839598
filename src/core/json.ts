// JSON values, and their canonical text (RFC 8785): equal values have the same canonical text, so comparing digests
// compares payloads. Numbers that JSON can't hold and duplicate keys are refused where the payload is read
// (src/ops/kit/exact-json.ts); by the time a value gets here they are no longer visible.

export type Json = null | boolean | number | string | Json[] | { [key: string]: Json }

export function isObject(value: Json | undefined): value is { [key: string]: Json } {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

export function canonicalText(value: Json): string {
  if (value === null || typeof value !== 'object') return JSON.stringify(value)
  if (Array.isArray(value)) return `[${value.map(canonicalText).join(',')}]`
  // RFC 8785 orders keys by UTF-16 code units, which is how JavaScript compares strings.
  const keys = Object.keys(value).sort()
  const members = keys.map((key) => `${JSON.stringify(key)}:${canonicalText(value[key] as Json)}`)
  return `{${members.join(',')}}`
}
