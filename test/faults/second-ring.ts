// Rings twice, the second time right after the look that the first ring caused, so that Bun's watcher swallows the
// second ring. Is the waiter still woken for it?

import { doorbell } from '../../src/wake/doorbell.ts'
import type { waitFor } from '../../src/wake/wait.ts'

/** Long after the moment in which a ring is swallowed. */
export const LATER_MS = 100

/** False if it took a third ring. A ring that merely comes too late counts as lost, too. */
export async function hearsSecondRing(wait: typeof waitFor, path: string): Promise<boolean> {
  const bell = doorbell({ path })
  let looks = 0
  let isThere = false
  let isThirdRung = false
  const look = async () => {
    looks += 1
    const seen = isThere
    // By the time this fires, the waiter has armed its bell and gone to sleep.
    if (looks === 1) setTimeout(() => bell.ring(), LATER_MS)
    if (looks === 2) {
      isThere = true
      bell.ring()
      setTimeout(() => {
        isThirdRung = true
        bell.ring()
      }, LATER_MS)
    }
    return seen ? isThirdRung : null
  }
  const waited = await wait({
    bell,
    look,
    // No backstop: only the bell can wake it.
    lookout: { everyMs: 3_600_000, changed: async () => false },
    chores: [],
    timeoutMs: 0,
    signal: new AbortController().signal,
  })
  await bell.close()
  return waited.outcome === 'found' && waited.value === false
}
