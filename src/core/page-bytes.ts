// Long texts are read no further than they are wanted: a read of many gives as many as there is room for, by
// the bytes the database keeps them in, and the first always. Whoever wants more asks again after the last.

/** For one read, and for one answer. */
export const PAGE_BYTES = 4_000_000

/** Of a letter of ours, as databases keep it. */
const MOST_BYTES = 3
/** Shorter texts are not worth a closer look: written as JSON they may be longer, but not by much. */
const LONG = 2000

/** Whether a read that gave these, of so many, came to the end; or there was no room for more. */
export function isWhole(found: readonly object[], asked: number): boolean {
  if (found.length === 0) return true
  return found.length < asked && lettersIn(found) * MOST_BYTES < PAGE_BYTES
}

/** As JSON has them. */
export function lettersIn(value: unknown): number {
  if (typeof value === 'string') {
    return value.length < LONG ? value.length : JSON.stringify(value).length
  }
  if (typeof value !== 'object' || value === null) return 0
  return Object.values(value).reduce((sum: number, part) => sum + lettersIn(part), 0)
}
