import { expect, test } from 'bun:test'
import { compareRows, gather } from './news.ts'

const row = (thread_id: string, event_id = 1, woken = false) => ({ thread_id, event_id, woken })
const ids = (rows: readonly { thread_id: string }[]) => rows.map(({ thread_id }) => thread_id)

test("initial rows aren't new, and later ones are new only once", () => {
  const first = compareRows(null, [row('a'), row('b')])
  expect(first).toMatchObject({ fresh: [], gone: [] })
  const second = compareRows(first.known, [row('a'), row('b'), row('c')])
  expect(ids(second.fresh)).toEqual(['c'])
  expect(compareRows(second.known, [row('a'), row('b'), row('c')]).fresh).toEqual([])
})

test('a resolved row is gone, and is new again only with a new event', () => {
  const first = compareRows(null, [row('a', 5)])
  const second = compareRows(first.known, [])
  expect(second.gone).toEqual(['a'])
  // A decision was undone, so the row is unchanged.
  expect(compareRows(second.known, [row('a', 5)]).fresh).toEqual([])
  // The agent asks again in the same thread.
  expect(ids(compareRows(second.known, [row('a', 9)]).fresh)).toEqual(['a'])
  // A snoozed row comes back.
  expect(ids(compareRows(second.known, [row('a', 5, true)]).fresh)).toEqual(['a'])
})

test("another message on a waiting row isn't new", () => {
  const first = compareRows(null, [row('a', 5)])
  expect(compareRows(first.known, [row('a', 6)])).toMatchObject({ fresh: [], gone: [] })
})

test('three within 30 seconds are shown one by one, and a fourth combines them', () => {
  let told = gather([], [{ id: 'a' }], 1000)
  told = gather(told.told, [{ id: 'b' }, { id: 'c' }], 2000)
  expect(told.isOne).toBe(false)
  told = gather(told.told, [{ id: 'd' }], 30_999)
  expect(told).toMatchObject({ isOne: true })
  expect(told.told).toHaveLength(4)
  // By now the first three are more than half a minute old, so only the fourth counts.
  told = gather(told.told, [{ id: 'e' }], 32_000)
  expect(told.isOne).toBe(false)
  expect(told.told.map(({ id }) => id)).toEqual(['d', 'e'])
})
