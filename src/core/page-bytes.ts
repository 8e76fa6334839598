// Limits how much long text one read returns: as many rows as fit, counted in the bytes the database stores, and
// always at least one. A caller that wants more asks again after the last row.

/** The limit for one answer. No other caller in the process is served while it is written. */
export const PAGE_BYTES = 1_000_000
/** The limit for one read, which is a piece of an answer. It takes a millisecond or two. */
export const PIECE_BYTES = 262_144

/** The most bytes that a database uses for one of our characters. */
const MOST_BYTES = 3
/** Shorter texts aren't checked: as JSON they can be longer, but not by much. */
const LONG = 2000

/** Whether a read limited to this many rows reached the end. If not, the rest didn't fit. */
export function isWhole(found: readonly object[], asked: number): boolean {
  if (found.length === 0) return true
  return found.length < asked && lettersIn(found) * MOST_BYTES < PIECE_BYTES
}

/** The length as JSON. */
export function lettersIn(value: unknown): number {
  if (typeof value === 'string') {
    return value.length < LONG ? value.length : JSON.stringify(value).length
  }
  if (typeof value !== 'object' || value === null) return 0
  return Object.values(value).reduce((sum: number, part) => sum + lettersIn(part), 0)
}
