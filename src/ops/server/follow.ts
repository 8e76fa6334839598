import type { Bell } from '../../core/bell.ts'
import { Refusal } from '../../core/error.ts'
import type { Store } from '../../core/store.ts'
import { type Chore, sleepUnlessAborted, waitFor } from '../../wake/wait.ts'

/** An error that repeats must repeat slowly. */
const REST_MS = 5000

export type FollowOptions = {
  store: Store
  bell: Bell
  /** The agents and people that the look is about; absent means any. */
  about?: readonly string[]
  look: () => Promise<null>
  chores: Chore[]
  signal: AbortSignal
  report: (error: unknown) => void
}

/**
 * Looks whenever something may have changed, until `signal` aborts or the store is gone for good, whatever happens to the
 * store meanwhile.
 */
export async function follow({ store, report, ...waiting }: FollowOptions): Promise<void> {
  const { signal } = waiting
  let isGone = false
  void store.gone.then(() => {
    isGone = true
  })
  while (!signal.aborted && !isGone) {
    try {
      await waitFor({ ...waiting, lookout: store.lookout(), timeoutMs: 0 })
    } catch (error) {
      // The store is away for long, and whoever follows it has nothing better to do than wait.
      if (error instanceof Refusal && error.code === 'busy') continue
      if (isGone) return
      report(error)
      await sleepUnlessAborted(REST_MS, signal)
    }
  }
}
