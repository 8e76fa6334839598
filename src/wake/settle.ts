// When a burst of mail is over, so that it leads to one start. The longer mail has been coming, the longer
// the silence that ends it: a writer that stops for a moment in the middle of much has not finished.

/** A single message waits so long for more. */
const SETTLE_MS = 100
/** No silence needs to be longer. */
const LONGEST_SILENCE_MS = 2000
/** A stream that does not stop is one batch after so long. */
const LONGEST_SETTLE_MS = 60_000

/** From when on mail that first came at one time and last at another has stopped coming, in milliseconds. */
export function restsUntil({ since, at }: { since: number; at: number }): number {
  const silence = Math.min(Math.max(SETTLE_MS, (at - since) / 4), LONGEST_SILENCE_MS)
  return Math.min(at + silence, since + LONGEST_SETTLE_MS)
}
