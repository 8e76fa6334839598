// A sentence as a person reads it at a terminal: short ids, and times counted from now. What stands in double quotes is
// somebody's own words and stays as it was said.

import { shortId } from '../../../core/short-id.ts'
import { relative } from './text.ts'

const QUOTED = /"(?:[^"\\]|\\.)*"/
const TIME = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/
/** A time that somebody gave to a flag, or that the sentence says it is, is wanted by the clock. */
const EXACT = new RegExp(`(?:--[a-z-]+[ =]|\\bis )${TIME.source}`)
const ID = /(?:[a-z]{2,3}_[0-9a-z]{26}|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})/
/** An id stands by itself, also in quotes or brackets; in a path it is part of another name. */
const ALONE = new RegExp(`(?<=^|[\\s([{<'‘“\`])${ID.source}(?![\\w/\\\\-]|\\.\\w)`)
const PARTS = new RegExp(
  [QUOTED, EXACT, ALONE].map(({ source }) => source).join('|') +
    `|\\b(until |at )?(${TIME.source})`,
  'g',
)

export function readable(text: string, now: number): string {
  return text.replace(PARTS, (part, before?: string, at?: string) => {
    // Quoted words and exact times are left as they are by shortId.
    if (at === undefined) return shortId(part)
    const when = relative(at, now)
    if (before !== 'until ') return when === 'now' ? 'just now' : when
    return when.startsWith('in ') ? `for another ${when.slice(3)}` : `until ${when}`
  })
}
