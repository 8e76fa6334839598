// Formats times the way people say them. Separate from ui/time.tsx to keep it out of the initial script.

import {
  agoIn,
  clockOf,
  DAY,
  hoursIn,
  isSameDay,
  MINUTE,
  timeIn,
  twoDigits,
  useMinute,
} from './time.tsx'

/** A past time: how long ago it was, or its date after a week. */
export function TimeAgo({ at }: { at: string }) {
  const now = useMinute()
  return (
    <time dateTime={at} title={whole(at)}>
      {agoIn(new Date(at), now)}
    </time>
  )
}

/** The time in a row: the clock time if today, the weekday if less than six days ago, otherwise the date. */
export function RowTime({ at }: { at: string }) {
  return <time dateTime={at}>{timeIn(new Date(at), useMinute())}</time>
}

/** A time with its day: today, yesterday or the date. */
export function Moment({ at }: { at: string }) {
  const now = useMinute()
  return (
    <time dateTime={at} title={whole(at)}>
      {momentIn(new Date(at), now)}
    </time>
  )
}

/** How long ago, within a sentence: just now, 3 min ago, on 5 Nov. */
export function sinceIn(at: Date, now: number): string {
  const past = now - at.getTime()
  if (past < MINUTE) return 'just now'
  return past < 7 * DAY ? `${agoIn(at, now)} ago` : `on ${agoIn(at, now)}`
}

function momentIn(at: Date, now: number): string {
  const clock = clockOf(at)
  const today = new Date(now)
  if (isSameDay(at, today)) return `Today, ${clock}`
  const yesterday = new Date(now - DAY)
  if (isSameDay(at, yesterday)) return `Yesterday, ${clock}`
  const year = at.getFullYear() === today.getFullYear() ? undefined : 'numeric'
  return `${at.toLocaleDateString(undefined, { day: 'numeric', month: 'short', year })}, ${clock}`
}

/** Converts the timestamps in a sentence from the server to local time. */
export function localizeTimes(words: string, now: number): string {
  return words.replace(/(\bat )?(\d{4}-\d\d-\d\dT[\d:.]+Z)/g, (_, before, at) => {
    const moment = momentIn(new Date(at), now)
    const isNear = /^[TY]/.test(moment)
    const said = isNear ? moment.slice(0, 1).toLowerCase() + moment.slice(1) : moment
    // Avoid "at today, 14:02".
    return before === undefined ? said : `${isNear ? '' : 'on '}${said.replace(', ', ' at ')}`
  })
}

/** Shared, because creating a formatter takes longer than using it a hundred times. */
const WHOLE = new Intl.DateTimeFormat(undefined, { dateStyle: 'full', timeStyle: 'medium' })

function whole(at: string): string {
  return WHOLE.format(new Date(at))
}

/** How much time is left: in minutes, and in seconds near the end. */
export function countdown(until: string, now: number): string {
  const left = new Date(until).getTime() - now
  if (left <= 0) return '0:00'
  if (left >= 2 * MINUTE) return hoursIn(left)
  const seconds = Math.ceil(left / 1000)
  return `${Math.floor(seconds / 60)}:${twoDigits(seconds % 60)}`
}

/** The local date, such as 2026-11-05. */
export function dateOf(at: Date): string {
  return `${at.getFullYear()}-${twoDigits(at.getMonth() + 1)}-${twoDigits(at.getDate())}`
}
