import { expect, test } from 'bun:test'
import { seldom } from './seldom.ts'

test('so many in a second, then none until the next, and how many were left out is known', () => {
  let ms = 0
  const few = seldom(2, () => ms)
  expect([few.count(), few.count()]).toEqual([true, true])
  expect([few.count(), few.count()]).toEqual([false, false])
  ms = 1000
  expect(few.count()).toBe(true)
  expect([few.leftOut(), few.leftOut()]).toEqual([2, 0])
})
