// The clock of a demo's store. While the past is being played it stands where that happened; then it tells the time, or
// stands still for good, so that two pictures taken of it are alike.

export type DemoClock = {
  now: () => number
  /** Puts the clock to so many minutes before the demo began. It never goes back. */
  goTo: (minutesAgo: number) => void
  /** The past is over. */
  arrive: () => void
  isPast: () => boolean
}

export function makeClock(fixed?: number): DemoClock {
  const began = fixed ?? Date.now()
  let stands: number | undefined = began
  let isPast = true
  return {
    now: () => stands ?? Date.now(),
    goTo(minutesAgo) {
      // Nobody does things on the full minute.
      const odd = ((minutesAgo * 17) % 53) * 1000 + ((minutesAgo * 271) % 997)
      const wanted = Math.round(began - minutesAgo * 60_000 - odd)
      stands = stands === undefined || stands === began ? wanted : Math.max(stands, wanted)
    },
    arrive() {
      stands = fixed
      isPast = false
    },
    isPast: () => isPast,
  }
}
