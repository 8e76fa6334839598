// Times as people say them. The server's clock counts: its answers carry the moment at which they were made.

import { useEffect, useState } from 'react'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

/** A time of the past: how long ago, then the weekday, then the date. */
export function Ago({ at }: { at: string }) {
  const now = useMinute()
  return (
    <time dateTime={at} title={whole(at)}>
      {agoIn(new Date(at), now)}
    </time>
  )
}

/** A moment: the time today, else with its day. */
export function Moment({ at }: { at: string }) {
  const now = useMinute()
  return (
    <time dateTime={at} title={whole(at)}>
      {momentIn(new Date(at), now)}
    </time>
  )
}

export function agoIn(at: Date, now: number): string {
  const past = now - at.getTime()
  if (past < MINUTE) return 'now'
  if (past < HOUR) return `${Math.floor(past / MINUTE)} min`
  if (past < DAY) return `${Math.floor(past / HOUR)} h`
  if (past < 7 * DAY) return `${Math.floor(past / DAY)} d`
  return at.toLocaleDateString(undefined, { day: 'numeric', month: 'short' })
}

/** The same within a sentence: just now, 3 min ago, on 5 Nov. */
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

/** A sentence of the server's, with its moments as people here say them. */
export function withLocalTimes(words: string, now: number): string {
  return words.replace(/(\bat )?(\d{4}-\d\d-\d\dT[\d:.]+Z)/g, (_, before, at) => {
    const moment = momentIn(new Date(at), now)
    const isNear = /^[TY]/.test(moment)
    const said = isNear ? moment.slice(0, 1).toLowerCase() + moment.slice(1) : moment
    // Nobody says: at today, 14:02.
    return before === undefined ? said : `${isNear ? '' : 'on '}${said.replace(', ', ' at ')}`
  })
}

/** The heading of the day, as a list groups its rows. */
export function dayOf(at: Date, now: number): string {
  if (isSameDay(at, new Date(now))) return 'Today'
  if (isSameDay(at, new Date(now - DAY))) return 'Yesterday'
  if (now - at.getTime() < 6 * DAY) return at.toLocaleDateString(undefined, { weekday: 'long' })
  const year = at.getFullYear() === new Date(now).getFullYear() ? undefined : 'numeric'
  return at.toLocaleDateString(undefined, { month: 'long', year })
}

/** The time in a row: the clock today, the weekday within six days, else the date. */
export function timeIn(at: Date, now: number): string {
  if (isSameDay(at, new Date(now))) return clockOf(at)
  if (now - at.getTime() < 6 * DAY) return at.toLocaleDateString(undefined, { weekday: 'short' })
  return at.toLocaleDateString(undefined, { day: 'numeric', month: 'short' })
}

/** How long until then, in words that a countdown can show. */
export function leftIn(until: string, now: number): string {
  const left = new Date(until).getTime() - now
  if (left <= 0) return 'over'
  if (left < 2 * MINUTE) return `${Math.ceil(left / 1000)} s`
  if (left < HOUR) return `${Math.floor(left / MINUTE)} min`
  const hours = Math.floor(left / HOUR)
  if (left < DAY) {
    const minutes = Math.floor((left % HOUR) / MINUTE)
    return minutes === 0 ? `${hours} h` : `${hours} h ${minutes} min`
  }
  return `${Math.floor(left / DAY)} d`
}

export function clockOf(at: Date): string {
  return `${two(at.getHours())}:${two(at.getMinutes())}`
}

function two(value: number): string {
  return String(value).padStart(2, '0')
}

function isSameDay(a: Date, b: Date): boolean {
  return a.toDateString() === b.toDateString()
}

function whole(at: string): string {
  return new Date(at).toLocaleString(undefined, { dateStyle: 'full', timeStyle: 'medium' })
}

/** The present, as often as something that is shown changes by it. */
export function useMinute(every = MINUTE): number {
  const [now, setNow] = useState(Date.now)
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), every)
    return () => clearInterval(timer)
  }, [every])
  return now
}
