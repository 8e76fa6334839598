// An outage of a store is logged once, with its reason, and once more when it is over. Waits try again
// every second, and a line for each try would only fill the log.

import { Refusal } from '../core/error.ts'

export type Outage = {
  failed: (error: unknown) => void
  worked: () => void
  isAway: () => boolean
}

export function makeOutage(tell: {
  away: (why: string) => void
  back: (seconds: number) => void
}): Outage {
  let since: number | undefined
  return {
    failed(error) {
      if (since !== undefined || !(error instanceof Refusal)) return
      since = performance.now()
      tell.away(error.message)
    },
    worked() {
      if (since === undefined) return
      const seconds = Math.round((performance.now() - since) / 1000)
      since = undefined
      tell.back(seconds)
    },
    isAway: () => since !== undefined,
  }
}
