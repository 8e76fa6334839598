// A moment to come, as a row shows it.

import { clockOf } from '../../ui/time.tsx'

const DAY = 86_400_000

/** The clock today, with the weekday within a week, else with the date. */
export function shownIn(until: Date, now: Date): string {
  const clock = clockOf(until)
  if (until.toDateString() === now.toDateString()) return clock
  const isNear = until.getTime() - now.getTime() < 6 * DAY
  const day: Intl.DateTimeFormatOptions = isNear
    ? { weekday: 'short' }
    : { day: 'numeric', month: 'short' }
  return `${until.toLocaleDateString(undefined, day)} ${clock}`
}
