// JSON as a door reads it: what would come out as something else is kept in sight, so that the field which holds it
// is refused by name.

import { hasRoundedNumber, parseNumbers } from './exact-numbers.ts'
import { markRepeated, repeatedNames } from './repeated-names.ts'

export function parseKeeping(words: string): unknown {
  const value = parseNumbers(words)
  const repeated = repeatedNames(words)
  return repeated.length === 0 ? value : markRepeated(value, repeated)
}

/** Whether a reader would get something else than the text says. */
export function isReadOtherwise(words: string): boolean {
  return hasRoundedNumber(words) || hasRepeatedName(words)
}

export function hasRepeatedName(words: string): boolean {
  return repeatedNames(words).length > 0
}
