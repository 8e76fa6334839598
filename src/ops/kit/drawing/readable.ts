// A sentence as a person reads it at a terminal: short ids, and times counted from now. What stands in double quotes is
// somebody's own words and stays as it was said.

import { shortId } from '../../../core/short-id.ts'
import { relative } from './text.ts'

const PARTS =
  /"(?:[^"\\]|\\.)*"|\b(until |at )?(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z)|\b[a-z]{2,3}_[0-9a-z]{26}\b|\b[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b/g

export function readable(text: string, now: number): string {
  return text.replace(PARTS, (part, before?: string, at?: string) => {
    if (part.startsWith('"')) return part
    if (at === undefined) return shortId(part)
    const when = relative(at, now)
    if (before !== 'until ') return when === 'now' ? 'just now' : when
    return when.startsWith('in ') ? `for another ${when.slice(3)}` : `until ${when}`
  })
}
