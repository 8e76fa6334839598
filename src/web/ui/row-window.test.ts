import { expect, test } from 'bun:test'
import { indexAt } from './row-window.ts'

test('the item at a height is the last one that begins at or before it', () => {
  const tops = [0, 36, 72, 108]
  expect([0, 35, 36, 71, 72, 107].map((height) => indexAt(tops, height))).toEqual([
    ...[0, 0, 1, 1, 2, 2],
  ])
  // Below the end it is the last, and of nothing the first.
  expect([indexAt(tops, 5000), indexAt(tops, -1), indexAt([0], 10)]).toEqual([2, 0, 0])
})
