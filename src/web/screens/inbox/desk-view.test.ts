import { expect, test } from 'bun:test'
import { filled, piecesOf, provisional, withRow } from './desk-pieces.ts'
import { missingIn, viewOf, viewOfGroups } from './desk-view.ts'

const row = (event_id: number) => ({ thread_id: `t${event_id}`, event_id })
const rows = (from: number, to: number) =>
  Array.from({ length: from - to + 1 }, (_, n) => row(from - n))
/** Three days: rows 30 to 21, 20 to 6, 5 to 1. */
const days = () =>
  piecesOf([
    { day: '2026-11-16', count: 10, before: 31 },
    { day: '2026-11-15', count: 15, before: 21 },
    { day: '2026-11-14', count: 5, before: 6 },
  ])
const none = new Map<string, { event_id: number }>()
const byDay = (day: string) => day

test('rows go into the piece that they belong to', () => {
  const pieces = filled(days(), 0, rows(30, 11), true)
  expect(pieces.map(({ count, ids }) => [count, ids.length])).toEqual([
    [10, 10],
    [15, 10],
    [5, 0],
  ])
  const view = viewOf(pieces, none, byDay)
  expect(view.total).toBe(30)
  expect([0, 10, 19, 20].map(view.idAt)).toEqual(['t30', 't20', 't11', undefined])
  expect(view.positionOf('t11')).toBe(19)
  expect(view.positionOf('t1')).toBe(-1)
})

test('a count that was wrong becomes right with its rows', () => {
  const fewer = filled(days(), 0, [...rows(30, 24), ...rows(20, 18)], true)
  expect(fewer.map(({ count }) => count)).toEqual([7, 15, 5])
  const more = filled(piecesOf([{ day: 'a', count: 2, before: 31 }]), 0, rows(30, 26), false)
  expect(more.map(({ count }) => count)).toEqual([5])
  expect(filled(days(), 0, rows(30, 21), false).map(({ count }) => count)).toEqual([10])
  expect(filled(days(), 0, [], false)).toEqual([])
})

test('what is missing of a range is one page, behind what is known of its piece', () => {
  const pieces = filled(days(), 0, rows(30, 11), true)
  const view = viewOf(pieces, none, byDay)
  expect(missingIn(view, pieces, { first: 0, end: 20 })).toBeNull()
  expect(missingIn(view, pieces, { first: 15, end: 30 })).toEqual({ at: 1, before: 11, limit: 100 })
  expect(missingIn(view, pieces, { first: 26, end: 30 })).toEqual({ at: 2, before: 6, limit: 100 })
  const whole = filled(pieces, 1, rows(10, 1), false)
  expect(missingIn(viewOf(whole, none, byDay), whole, { first: 0, end: 30 })).toBeNull()
})

test('the middle of a piece of 500 is one page away', () => {
  const pieces = piecesOf([
    { day: 'a', count: 500, before: 1001 },
    { day: 'a', count: 500, before: 501 },
  ])
  const view = viewOf(pieces, none, byDay)
  expect(view.groups).toEqual([{ key: 'a', label: 'a', count: 1000 }])
  expect(missingIn(view, pieces, { first: 930, end: 960 })).toEqual({
    ...{ at: 1, before: 501, limit: 500 },
  })
})

test('rows that stand elsewhere have no position, known or not', () => {
  const pieces = filled(days(), 0, rows(30, 21), true)
  const hidden = new Map([row(28), row(8)].map((one) => [one.thread_id, one]))
  const view = viewOf(pieces, hidden, byDay)
  expect(view.groups.map(({ count }) => count)).toEqual([9, 14, 5])
  expect(view.idAt(2)).toBe('t27')
  const more = filled(pieces, 1, rows(20, 6), true)
  expect(viewOf(more, hidden, byDay).groups.map(({ count }) => count)).toEqual([9, 14, 5])
})

test('the open row stays at its place though the list has it no longer', () => {
  const pieces = filled(
    days(),
    0,
    rows(30, 21).filter(({ event_id }) => event_id !== 25),
    true,
  )
  const place = (id: string) => Number(id.slice(1))
  const byRow = () => '2026-11-16'
  const kept = withRow(pieces, row(25), byRow, place)
  expect(kept?.[0]?.ids.indexOf('t25')).toBe(5)
  expect(withRow(pieces, row(26), byRow, place)).toBeNull()
  expect(withRow(pieces, row(12), byRow, place)).toBeNull()
  expect(withRow([], row(1), byRow, place)?.[0]).toMatchObject({ count: 1, ids: ['t1'] })
})

test('before anybody has counted, the first rows make their own days', () => {
  const pieces = provisional(rows(3, 1), ({ event_id }) => (event_id > 1 ? 'today' : 'before'))
  expect(viewOf(pieces, none, byDay).groups).toEqual([
    { key: 'today', label: 'today', count: 2 },
    { key: 'before', label: 'before', count: 1 },
  ])
})

test('groups of rows that are all there', () => {
  const view = viewOfGroups([
    { label: 'billing', ids: ['a', 'b'] },
    { label: 'search', ids: ['c'] },
  ])
  expect([view.total, view.idAt(2), view.positionOf('b'), view.positionOf('x')]).toEqual([
    ...[3, 'c', 1, -1],
  ])
})
