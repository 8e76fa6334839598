// Decides when a burst of mail is over, so that it leads to one start. The longer mail has been coming, the
// longer the silence that ends the burst: a writer that pauses in the middle has not finished.

/** How long a single message waits for more. */
const SETTLE_MS = 100
/** The longest silence that is ever needed. */
const LONGEST_SILENCE_MS = 2000
/** A stream that never stops is cut into batches of this length. */
const LONGEST_SETTLE_MS = 60_000

/** The moment at which a burst counts as over, from its first and its latest message, in milliseconds. */
export function settlesAt({ since, at }: { since: number; at: number }): number {
  const silence = Math.min(Math.max(SETTLE_MS, (at - since) / 4), LONGEST_SILENCE_MS)
  return Math.min(at + silence, since + LONGEST_SETTLE_MS)
}
