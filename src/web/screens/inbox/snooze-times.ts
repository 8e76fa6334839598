// The times to which a row can be put off. Each is said with the moment that it means.

import { clockOf } from '../../ui/time.tsx'
import { shownIn } from './shown-time.ts'

export type SnoozeTime = { title: string; until: Date; shown: string }

const HOUR = 3_600_000
const EVENING = 18
const MORNING = 9
const MONDAY = 1

export function snoozeTimes(now: Date): SnoozeTime[] {
  const times: SnoozeTime[] = []
  const add = (title: string, until: Date) => {
    const isKnown = times.some((one) => one.until.getTime() === until.getTime())
    if (until > now && !isKnown) times.push({ title, until, shown: shownIn(until, now) })
  }
  add('In 1 hour', new Date(now.getTime() + HOUR))
  // An evening that is nearer than an hour is no other choice.
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

/** The value that a field for a local time has for a moment. */
export function fieldTime(moment: Date): string {
  const two = (value: number) => String(value).padStart(2, '0')
  const day = [moment.getFullYear(), two(moment.getMonth() + 1), two(moment.getDate())].join('-')
  return `${day}T${clockOf(moment)}`
}
