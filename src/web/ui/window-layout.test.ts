import { expect, test } from 'bun:test'
import { layOut, positionAt, rangeOf, topOf } from './window-layout.ts'

const sizes = { row: 64, head: 32 }
const days = (...counts: number[]) =>
  counts.map((count, at) => ({ key: `${at}`, label: `day ${at}`, count }))

test('lays out rows below their headings, and groups in order', () => {
  const layout = layOut(days(2, 0, 3), sizes)
  expect(layout.groups.map(({ key, first, top }) => [key, first, top])).toEqual([
    ['0', 0, 0],
    ['2', 2, 160],
  ])
  expect(layout.height).toBe(160 + 32 + 3 * 64)
  expect([0, 1, 2, 4].map((position) => topOf(layout, position))).toEqual([32, 96, 192, 320])
  expect([0, 31, 96, 160, 192].map((y) => positionAt(layout, y))).toEqual([0, 0, 1, 2, 2])
})

test('with 100,000 rows, only those near the visible part are rendered', () => {
  const layout = layOut(days(...Array(370).fill(270), 100), sizes)
  expect(layout.rows).toBe(100_000)
  const middle = topOf(layout, 50_000)
  const range = rangeOf(layout, middle, middle + 852)
  expect(range.first).toBeLessThanOrEqual(50_000)
  expect(range.end).toBeGreaterThan(50_013)
  expect(range.end - range.first).toBeLessThanOrEqual(30)
  expect(rangeOf(layout, middle + 20, middle + 872)).toEqual(range)
  const end = layout.height
  expect(rangeOf(layout, end - 852, end).end).toBe(100_000)
  expect(rangeOf(layout, 0, 852).first).toBe(0)
})

test('every visible row is rendered, wherever the list is scrolled to', () => {
  const layout = layOut(days(1, 1, 7, 1, 300, 2), sizes)
  for (let top = 0; top < layout.height; top += 13) {
    const { first, end } = rangeOf(layout, top, top + 500)
    for (let position = 0; position < layout.rows; position++) {
      const at = topOf(layout, position)
      if (at + sizes.row <= top || at >= top + 500) continue
      expect(position >= first && position < end).toBe(true)
    }
  }
})

test('an empty list has no rows and no height', () => {
  const layout = layOut([], sizes)
  expect(layout).toMatchObject({ rows: 0, height: 0 })
  expect(rangeOf(layout, 0, 500)).toEqual({ first: 0, end: 0 })
})
