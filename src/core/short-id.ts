// Short ids. An id is a prefix for its kind, ten letters of time and sixteen random ones (id.ts). Ids from the same day
// share the time, so the short form is the start of the random part. An entry's id is all random, so its short form is
// its own start.

import { PREFIXES } from './id.ts'

const WHOLE = /^[a-z]{2,3}_[0-9a-hjkmnp-tv-z]{26}$/
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/
const SHORT = /^(?:([a-z]{2,3})_)?([0-9a-z]{4,26}|[0-9a-f]{8}-[0-9a-f-]{0,27})$/i

/** How many letters tables show. Among a million ids, one in a thousand shares its six letters with another. */
const SHOWN = 6
const SHOWN_OF_UUID = 8

/** The form that people see and type. An id in another format, from an import, is unchanged. */
export function shortId(id: string): string {
  if (UUID.test(id)) return id.slice(0, SHOWN_OF_UUID)
  if (!WHOLE.test(id)) return id
  const chance = id.indexOf('_') + 11
  return id.slice(chance, chance + SHOWN)
}

/** The kind of thing a full or shortened id names, if the id says so. */
export function prefixOf(id: string): string | undefined {
  const [, prefix] = /^([a-z]{2,3})_/.exec(id) ?? []
  return prefix !== undefined && Object.values(PREFIXES).includes(prefix) ? prefix : undefined
}

/** The ranges of ids a short id may mean: by their start, or by the start of their random part. */
export type IdRange = { from: string; upto: string; chance: string; chance_upto: string }

/** Undefined if this text can't be a short id. */
export function rangeOf(words: string): IdRange | undefined {
  const [, , letters] = SHORT.exec(words) ?? []
  if (letters === undefined) return undefined
  const from = words.toLowerCase()
  const chance = letters.toLowerCase()
  return { from, upto: `${from}~`, chance, chance_upto: `${chance}~` }
}
