import { dayOf } from '../../ui/time.tsx'
import type { TalkEntry } from './entries.ts'

export type TalkDay = { key: string; label: string; entries: TalkEntry[] }

/** The entries by the day here on which they were written. */
export function daysOf(entries: readonly TalkEntry[], now: number): TalkDay[] {
  const days: TalkDay[] = []
  for (const entry of entries) {
    const at = new Date(entry.timestamp)
    const key = at.toDateString()
    if (days.at(-1)?.key === key) days.at(-1)?.entries.push(entry)
    else days.push({ key, label: headingOf(at, now), entries: [entry] })
  }
  return days
}

/** Each day has its own heading, however long ago. */
function headingOf(at: Date, now: number): string {
  const day = dayOf(at, now)
  if (day === 'Today' || day === 'Yesterday') return day
  return at.toLocaleDateString(undefined, {
    ...{ weekday: 'long', day: 'numeric', month: 'long' },
    ...(at.getFullYear() === new Date(now).getFullYear() ? {} : { year: 'numeric' }),
  })
}
