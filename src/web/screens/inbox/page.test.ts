import { expect, test } from 'bun:test'
import {
  type ListedPage,
  type ListedRow,
  markInPage,
  removeFromPage,
  restoreInPage,
} from './page.ts'

const row = (event_id: number, more: Partial<ListedRow> = {}) =>
  ({ thread_id: `t${event_id}`, event_id, unread: 1, needs_you: false, ...more }) as ListedRow

const page = (rows: ListedRow[], more: Partial<ListedPage> = {}) =>
  ({ rows, needs_you: [], next_before: null, next_after: null, ...more }) as ListedPage

const idsIn = ({ rows }: ListedPage) => rows.map(({ thread_id }) => thread_id)

test('a marked row shows its mark unless a newer message has arrived', () => {
  const marked = markInPage(new Map([['t9', 0]]), [row(9)])
  expect(marked(page([row(9), row(8)]), {}).rows.map(({ unread }) => unread)).toEqual([0, 1])
  const newer = page([row(12, { thread_id: 't9' })])
  expect(marked(newer, {}).rows[0]?.unread).toBe(1)
})

test('restores removed rows to their places', () => {
  const rows = [10, 9, 8, 7].map((event_id) => row(event_id))
  const gone = [row(10), row(8)]
  const without = removeFromPage(gone)(page(rows), {})
  expect(idsIn(without)).toEqual(['t9', 't7'])
  expect(idsIn(restoreInPage(gone)(without, {}))).toEqual(['t10', 't9', 't8', 't7'])
  // A response that already has the rows gives the same result.
  expect(idsIn(restoreInPage(gone)(page(rows), {}))).toEqual(['t10', 't9', 't8', 't7'])
})

test('restores rows only to the page they belong to', () => {
  const gone = [row(10), row(6), row(2)]
  const back = restoreInPage(gone)
  const first = page([row(9), row(7)], { next_before: 7 })
  expect(idsIn(back(first, {}))).toEqual(['t10', 't9', 't7'])
  const second = page([row(5), row(4)], { next_before: 4, next_after: 5 })
  expect(idsIn(back(second, { before: 7 }))).toEqual(['t6', 't5', 't4'])
  const last = page([row(3)], { next_after: 3 })
  expect(idsIn(back(last, { before: 4 }))).toEqual(['t3', 't2'])
  // A page that was fetched upward from event 5.
  const above = page([row(9), row(8)], { next_after: 9 })
  expect(idsIn(back(above, { after: 5 }))).toEqual(['t9', 't8', 't6'])
})

test('restores rows that need the person in order of expiry', () => {
  const late = row(1, { needs_you: true, expires_at: '2026-11-20' as ListedRow['expires_at'] })
  const soon = row(2, { needs_you: true, expires_at: '2026-11-19' as ListedRow['expires_at'] })
  const without = removeFromPage([soon])(page([soon, late], { needs_you: [soon, late] }), {})
  expect(without.needs_you.map(({ thread_id }) => thread_id)).toEqual(['t1'])
  const again = restoreInPage([soon])(without, {})
  expect(again.needs_you.map(({ thread_id }) => thread_id)).toEqual(['t2', 't1'])
})
