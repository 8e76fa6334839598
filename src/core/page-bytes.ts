// Limits how much data one read returns: as many rows as fit, measured in stored bytes, but always at least one. To get
// more, a caller asks again, starting after the last row.

/** The limit for one response. The process serves no other caller while it's writing one. */
export const PAGE_BYTES = 1_000_000
/** The limit for one read, which fills part of a response. A read takes a millisecond or two. */
export const PIECE_BYTES = 262_144

/** The most bytes that a database uses for one JavaScript character. */
const MOST_BYTES = 3
/** Strings shorter than this aren't measured as JSON. Their JSON can be longer, but not by much. */
const LONG = 2000

/** Whether a read limited to this many rows reached the end. If not, the remaining rows didn't fit. */
export function isWhole(found: readonly object[], asked: number): boolean {
  if (found.length === 0) return true
  return found.length < asked && lettersIn(found) * MOST_BYTES < PIECE_BYTES
}

/** The approximate length of the value's strings as JSON. */
export function lettersIn(value: unknown): number {
  if (typeof value === 'string') {
    return value.length < LONG ? value.length : JSON.stringify(value).length
  }
  if (typeof value !== 'object' || value === null) return 0
  return Object.values(value).reduce((sum: number, part) => sum + lettersIn(part), 0)
}
