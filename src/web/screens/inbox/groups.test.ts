import { expect, test } from 'bun:test'
import { BACK_ABOVE } from '../../../core/desk/desk-reads.ts'
import { groupByDay, groupByWorkspace } from './groups.ts'
import type { ListedRow } from './page.ts'

const listedRow = (row: Partial<ListedRow>) => row as ListedRow
const now = new Date(2026, 10, 18, 12).getTime()
const on = (day: number, event_id: number) =>
  listedRow({ event_id, at: new Date(2026, 10, day, 9).toISOString() as ListedRow['at'] })

test('groups rows by day, with a count for each fully loaded day', () => {
  const rows = [on(18, 9), on(18, 8), on(17, 7), on(3, 6), on(2, 5)]
  const ends = { hasEarlier: false, hasMore: false }
  const { groups } = groupByDay(rows, now, ends)
  const [, , earlier] = groups
  expect(groups.map(({ label, note }) => [label, note])).toEqual([
    ['Today', '2'],
    ['Yesterday', '1'],
    [earlier?.label, '2'],
  ])
  const open = groupByDay(rows, now, { hasEarlier: true, hasMore: true }).groups
  expect(open.map(({ count, note }) => [count, note])).toEqual([
    [2, undefined],
    [1, '1'],
    [2, undefined],
  ])
})

test('a row back from a snooze is grouped under Today', () => {
  const rows = [on(3, BACK_ABOVE + 1), on(18, 9)]
  const { groups } = groupByDay(rows, now, { hasEarlier: false, hasMore: false })
  expect(groups).toMatchObject([{ label: 'Today', count: 2 }])
})

test('groups rows by workspace, ordered by each one’s newest row', () => {
  const rows = ['billing', '', 'billing'].map((workspace_label, at) =>
    listedRow({ event_id: 9 - at, workspace_label }),
  )
  const grouped = groupByWorkspace(rows)
  expect(grouped.groups.map(({ label, count }) => [label, count])).toEqual([
    ['billing', 2],
    ['No workspace', 1],
  ])
  expect(grouped.rows.map(({ event_id }) => event_id)).toEqual([9, 7, 8])
})
