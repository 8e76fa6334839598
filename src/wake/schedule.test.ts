import { expect, test } from 'bun:test'
import type { WakeSettings } from '../core/agents/agent.ts'
import { plusSeconds } from '../core/time.ts'
import { mustNameTime, timerDue } from './schedule.ts'

const REGISTERED = '2026-03-01T08:00:00.000Z'

const NOW = '2026-12-01T08:00:00.000Z'

function due(wake: WakeSettings, lastTimer: string | null = null, now = NOW) {
  return timerDue({ wake, registered_at: REGISTERED }, { lastTimer }, now)
}

/** Cron lines use the machine's local time, so the expected times do too. */
function local(year: number, month: number, day: number, hour: number, minute: number): string {
  return new Date(year, month - 1, day, hour, minute).toISOString()
}

test('without a timer, no wake is ever due', async () => {
  expect(await due({})).toBe(null)
})

test('an interval counts from when the timer was set, then from the last wake', async () => {
  expect(await due({ every_seconds: 60 })).toBe('2026-03-01T08:01:00.000Z')
  const timer_since = '2026-03-01T09:00:00.000Z'
  expect(await due({ every_seconds: 60, timer_since })).toBe('2026-03-01T09:01:00.000Z')
  expect(await due({ every_seconds: 60, timer_since }, '2026-03-01T10:00:00.000Z')).toBe(
    '2026-03-01T10:01:00.000Z',
  )
  // The timer was set again after its last wake, so that wake doesn't count.
  expect(await due({ every_seconds: 60, timer_since }, REGISTERED)).toBe('2026-03-01T09:01:00.000Z')
})

test('a cron line is due at its first time after the last wake, however long ago', async () => {
  const monday = local(2026, 3, 2, 9, 0)
  expect(await due({ cron: '*/30 9-17 * * 1-5' }, local(2026, 3, 1, 12, 0))).toBe(monday)
  expect(await due({ cron: '*/30 9-17 * * 1-5' }, monday)).toBe(local(2026, 3, 2, 9, 30))
  expect(await due({ cron: '0 0 31 * *' }, local(2026, 4, 1, 0, 0))).toBe(local(2026, 5, 31, 0, 0))
  // If a line has both a day of the month and a weekday, matching either one is enough.
  expect(await due({ cron: '0 12 15 * 1' }, local(2026, 3, 10, 0, 0))).toBe(
    local(2026, 3, 15, 12, 0),
  )
})

test('a timer set ahead of the clock is due by the clock', async () => {
  const ahead = { timer_since: local(2026, 3, 2, 11, 0) }
  const now = local(2026, 3, 2, 9, 0)
  expect(await due({ every_seconds: 60, ...ahead }, null, now)).toBe(now)
  const last = plusSeconds(now, -20)
  expect(await due({ every_seconds: 60, ...ahead }, last, now)).toBe(plusSeconds(now, 40))
  const cron = '0 9,12 * * *'
  expect(await due({ cron, ...ahead }, null, now)).toBe(now)
  expect(await due({ cron, ...ahead }, now, now)).toBe(local(2026, 3, 2, 12, 0))
  expect(await due({ cron, ...ahead }, null, plusSeconds(now, 60))).toBe(local(2026, 3, 2, 12, 0))
})

test('rejects a cron line that never occurs, and never wakes by one', async () => {
  for (const line of ['61 * * * *', '* * * 13 *', '0 0 30 2 *', '5-1 * * * *']) {
    expect(mustNameTime(line, REGISTERED)).rejects.toThrow(`wake_cron "${line}" cannot be used`)
    expect(await due({ cron: line })).toBe(null)
  }
  expect(await mustNameTime('*/5 * * * *', REGISTERED)).toBe(undefined)
})
