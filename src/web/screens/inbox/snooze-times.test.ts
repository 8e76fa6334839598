import { expect, test } from 'bun:test'
import { fieldTime, snoozeTimes } from './snooze-times.ts'

const offered = (now: Date) =>
  snoozeTimes(now).map(({ title, until }) => `${title} ${fieldTime(until)}`)

test('offers each choice with its time', () => {
  // November 12, 2026, is a Thursday.
  expect(offered(new Date(2026, 10, 12, 14, 32))).toEqual([
    'In 1 hour 2026-11-12T15:32',
    'This evening 2026-11-12T18:00',
    'Tomorrow 2026-11-13T09:00',
    'Next week 2026-11-16T09:00',
  ])
})

test('does not offer an evening that is past or near', () => {
  for (const hour of [17, 18, 23]) {
    expect(offered(new Date(2026, 10, 12, hour, 30)).join()).not.toContain('This evening')
  }
})

test('on a Sunday, Monday is offered only as tomorrow', () => {
  const titles = snoozeTimes(new Date(2026, 10, 15, 12)).map(({ title }) => title)
  expect(titles).toEqual(['In 1 hour', 'This evening', 'Tomorrow'])
})

test('on a Monday, next week is a week away', () => {
  expect(offered(new Date(2026, 10, 16, 7)).at(-1)).toBe('Next week 2026-11-23T09:00')
})
