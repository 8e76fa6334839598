import { dateOf } from '../../ui/moment.tsx'
import { clockOf, futureIn } from '../../ui/time.tsx'

export type SnoozeTime = { title: string; until: Date; shown: string }

const HOUR = 3_600_000
const EVENING = 18
const MORNING = 9
const MONDAY = 1

export function snoozeTimes(now: Date): SnoozeTime[] {
  const times: SnoozeTime[] = []
  const add = (title: string, until: Date) => {
    const isKnown = times.some((one) => one.until.getTime() === until.getTime())
    if (until > now && !isKnown) times.push({ title, until, shown: futureIn(until, now) })
  }
  add('In 1 hour', new Date(now.getTime() + HOUR))
  // If the evening is no more than an hour away, "In 1 hour" already covers it.
  const evening = at(now, 0, EVENING)
  if (evening.getTime() - now.getTime() > HOUR) add('This evening', evening)
  add('Tomorrow', at(now, 1, MORNING))
  const days = (MONDAY - now.getDay() + 7) % 7 || 7
  add('Next week', at(now, days, MORNING))
  return times
}

function at(now: Date, days: number, hour: number): Date {
  return new Date(now.getFullYear(), now.getMonth(), now.getDate() + days, hour)
}

/** Formats a time as the value of a `datetime-local` field. */
export function fieldTime(moment: Date): string {
  return `${dateOf(moment)}T${clockOf(moment)}`
}
