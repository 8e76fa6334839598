import { expect, test } from 'bun:test'
import { pageOf } from '../kit/drawing/page.ts'
import type { DeskRow } from './desk-list.ts'
import { drawDays, drawDesk } from './drawing.ts'

const terminal = () => ({ isTty: false, columns: 80, rows: 24, colour: false })
const PAGE = pageOf({ terminal, now: () => 0 })
const DESK = { has_more: false, cut: false, next_before: null, next_after: null, next_event_id: 9 }

test('draws what needs a person above the rows, even if there are none', () => {
  const [request, push] = [rowOf('thr_a', { needs_you: true }), rowOf('thr_b')]
  expect(drawDesk({ ...DESK, rows: [push], needs_you: [request], unread: 0 }, PAGE)).toBe(
    'thr_a  push  needs you  ann  now  Report\n\nthr_b  push  ann  now  Report\nnothing unread\n',
  )
  expect(drawDesk({ ...DESK, rows: [], needs_you: [request], unread: 1 }, PAGE)).toBe(
    'thr_a  push  needs you  ann  now  Report\n\nnothing was delivered\n1 thread unread\n',
  )
})

test('a partial count of a desk shows how to continue', () => {
  const days = [{ day: '2026-11-16', count: 2, unread: 1, before: 8 }]
  const part = { days, total: 2, unread: 1, next_event_id: 9 }
  const counted = '2026-11-16  2 threads\n2 threads, 1 unread\n'
  expect(drawDays({ ...part, next_before: 5 }, PAGE)).toBe(`${counted}continue with --before 5\n`)
  expect(drawDays({ ...part, next_before: null }, PAGE)).toBe(counted)
})

function rowOf(thread_id: string, more: Partial<DeskRow> = {}): DeskRow {
  return {
    thread_id,
    event_id: 1,
    what: 'push',
    title: 'Report',
    from: 'ann',
    latest_from: 'ann',
    preview: '',
    at: new Date(0).toISOString() as DeskRow['at'],
    unread: 0,
    documents: 0,
    workspace_id: '',
    workspace_label: '',
    needs_you: false,
    expires_at: null,
    risk: null,
    request_type: null,
    snoozed_until: null,
    woken: false,
    ...more,
  }
}
