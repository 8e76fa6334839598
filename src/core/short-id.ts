// Short ids. An id is a prefix for its kind, ten characters of time and sixteen random ones (id.ts). Ids from the same
// day share the time, so the short form is the start of the random part. An entry's id is entirely random, so its short
// form is simply its start.

import { PREFIXES } from './id.ts'

const WHOLE = /^[a-z]{2,3}_[0-9a-hjkmnp-tv-z]{26}$/
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/
const SHORT = /^(?:([a-z]{2,3})_)?([0-9a-z]{4,26}|[0-9a-f]{8}-[0-9a-f-]{0,27})$/i

/** How many characters tables show. Among a million ids, one in a thousand shares its six with another. */
const SHOWN = 6
const SHOWN_OF_UUID = 8

/** The form that people see and type. Imported ids in other formats are unchanged. */
export function shortId(id: string): string {
  if (UUID.test(id)) return id.slice(0, SHOWN_OF_UUID)
  if (!WHOLE.test(id)) return id
  const chance = id.indexOf('_') + 11
  return id.slice(chance, chance + SHOWN)
}

/** The prefix of a full or shortened id, which names its kind; undefined if it has none. */
export function prefixOf(id: string): string | undefined {
  const [, prefix] = /^([a-z]{2,3})_/.exec(id) ?? []
  return prefix !== undefined && Object.values(PREFIXES).includes(prefix) ? prefix : undefined
}

/** The ids that a short id can stand for, as two ranges: by the start of the id and of its random part. */
export type IdRange = { from: string; upto: string; chance: string; chance_upto: string }

/** Undefined if this string can't be a short id. */
export function rangeOf(words: string): IdRange | undefined {
  const [, , letters] = SHORT.exec(words) ?? []
  if (letters === undefined) return undefined
  const from = words.toLowerCase()
  const chance = letters.toLowerCase()
  return { from, upto: `${from}~`, chance, chance_upto: `${chance}~` }
}
