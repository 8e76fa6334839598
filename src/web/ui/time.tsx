import { useEffect, useState } from 'react'

export const MINUTE = 60_000
const HOUR = 60 * MINUTE
export const DAY = 24 * HOUR

/** How long ago it was, or the date if that's more than a week. */
export function agoIn(at: Date, now: number): string {
  const past = now - at.getTime()
  if (past < MINUTE) return 'now'
  if (past < HOUR) return `${Math.floor(past / MINUTE)} min`
  if (past < DAY) return `${Math.floor(past / HOUR)} hr`
  if (past < 7 * DAY) return daysIn(past)
  return at.toLocaleDateString(undefined, { day: 'numeric', month: 'short' })
}

/** The heading for a list's group of rows: the day, or the month for older rows. */
export function dayOf(at: Date, now: number): string {
  if (isSameDay(at, new Date(now))) return 'Today'
  if (isSameDay(at, new Date(now - DAY))) return 'Yesterday'
  if (now - at.getTime() < 6 * DAY) return at.toLocaleDateString(undefined, { weekday: 'long' })
  const year = at.getFullYear() === new Date(now).getFullYear() ? undefined : 'numeric'
  return at.toLocaleDateString(undefined, { month: 'long', year })
}

/** The time in a row: the clock time if today, the weekday if less than six days ago, otherwise the date. */
export function timeIn(at: Date, now: number): string {
  if (isSameDay(at, new Date(now))) return clockOf(at)
  if (now - at.getTime() < 6 * DAY) return at.toLocaleDateString(undefined, { weekday: 'short' })
  return at.toLocaleDateString(undefined, { day: 'numeric', month: 'short' })
}

/** A future time: just the clock time if it's today, otherwise with the weekday (within six days) or the date. */
export function futureIn(until: Date, now: Date): string {
  const clock = clockOf(until)
  if (until.toDateString() === now.toDateString()) return clock
  const isNear = until.getTime() - now.getTime() < 6 * DAY
  const day: Intl.DateTimeFormatOptions = isNear
    ? { weekday: 'short' }
    : { day: 'numeric', month: 'short' }
  return `${until.toLocaleDateString(undefined, day)} ${clock}`
}

/** The remaining time, for a countdown. */
export function leftIn(until: string, now: number): string {
  const left = Math.max(0, new Date(until).getTime() - now)
  if (left < 2 * MINUTE) return `${Math.ceil(left / 1000)} sec`
  return left < DAY ? hoursIn(left) : daysIn(left)
}

function daysIn(time: number): string {
  const days = Math.floor(time / DAY)
  return days === 1 ? '1 day' : `${days} days`
}

/** Formats a duration: 5 min, 2 hr, 2 hr 5 min. */
export function hoursIn(ms: number): string {
  const hours = Math.floor(ms / HOUR)
  const minutes = Math.floor((ms % HOUR) / MINUTE)
  if (hours === 0) return `${minutes} min`
  return minutes === 0 ? `${hours} hr` : `${hours} hr ${minutes} min`
}

export function clockOf(at: Date): string {
  return `${twoDigits(at.getHours())}:${twoDigits(at.getMinutes())}`
}

export function twoDigits(value: number): string {
  return String(value).padStart(2, '0')
}

export function isSameDay(a: Date, b: Date): boolean {
  return a.toDateString() === b.toDateString()
}

/** The current time, updated only as often as the display changes: every minute by default. */
export function useMinute(every = MINUTE): number {
  return useNow(() => every)
}

/** The current time for a countdown, updated every second near its end. */
export function useCountdown(until: string): number {
  return useNow((now) => (Math.abs(Date.parse(until) - now) < 3 * MINUTE ? 1000 : MINUTE / 4))
}

function useNow(everyAt: (now: number) => number): number {
  const [now, setNow] = useState(Date.now)
  const every = everyAt(now)
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), every)
    return () => clearInterval(timer)
  }, [every])
  return now
}
