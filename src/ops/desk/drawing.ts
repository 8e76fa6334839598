import { ago, dim, drawTable, extra, id, inInk, type ListColumn } from '../kit/drawing/columns.ts'
import { goOn, type Page } from '../kit/drawing/page.ts'
import { count, relative } from '../kit/drawing/text.ts'
import type { DeskCounts } from './desk.ts'
import type { DayCounts } from './desk-days.ts'
import type { DeskChange } from './desk-handling.ts'
import type { DeskList, DeskRow } from './desk-list.ts'

export function drawCounts({ unread, notifications, needs_you, agents }: DeskCounts, page: Page) {
  const { ink, now } = page
  const { requests, questions, soonest_expiry } = needs_you
  const waiting = [
    ...(requests === 0 ? [] : [`${count(requests, 'request')} to decide`]),
    ...(questions === 0 ? [] : [`${count(questions, 'question')} to answer`]),
  ].join(', ')
  const soonest =
    soonest_expiry === null ? '' : ` (the first expires ${relative(soonest_expiry, now)})`
  const lines = [
    waiting === '' ? 'nothing needs you' : ink.yellow(`needs you: ${waiting}${soonest}`),
    unread === 0 ? 'nothing unread' : `${count(unread, 'thread')} unread`,
    ...(notifications === 0 ? [] : [`${count(notifications, 'notification')} unread`]),
    ink.dim(
      `agents: ${Object.entries(agents)
        .map(([status, n]) => `${n} ${status}`)
        .join(', ')}`,
    ),
  ]
  return `${lines.join('\n')}\n`
}

const COLUMNS: ListColumn<DeskRow>[] = [
  id('thread_id'),
  inInk('what', 'cyan'),
  inInk(
    ({ needs_you, unread }) => (needs_you ? 'needs you' : unread === 0 ? '' : 'unread'),
    'yellow',
  ),
  extra(({ what, from, latest_from }) => (what === 'question' ? latest_from : from)),
  extra(dim(ago('at'))),
  'title',
]

export function drawDesk({ rows, unread, needs_you, next_before }: DeskList, page: Page): string {
  const { ink } = page
  const end = ink.dim(unread === 0 ? 'nothing unread\n' : `${count(unread, 'thread')} unread\n`)
  const above = needs_you.length === 0 ? '' : `${drawTable(needs_you, COLUMNS, page)}\n`
  const below = drawTable(rows, COLUMNS, page, 'nothing was delivered')
  return `${above}${below}${end}${rows.length === 0 ? '' : goOn(page, 'before', next_before)}`
}

export function drawDays({ days, total, unread, next_before }: DayCounts, page: Page): string {
  const counts = [...Map.groupBy(days, ({ day }) => day)].map(([day, parts]) => {
    const n = parts.reduce((sum, one) => sum + one.count, 0)
    return `${day}  ${count(n, 'thread')}\n`
  })
  return `${counts.join('')}${count(total, 'thread')}, ${unread} unread\n${goOn(page, 'before', next_before)}`
}

export function drawChanged({ changed }: DeskChange, how: string): string {
  return changed.length === 0 ? 'nothing changed\n' : `${count(changed.length, 'thread')} ${how}\n`
}

export function drawSnoozed(
  { changed, until }: DeskChange & { until: string | null },
  { terminal, now }: Page,
): string {
  const isSoon = until !== null && terminal.isTty
  const when = isSoon ? `snoozed, back ${relative(until, now)}` : `snoozed until ${until}`
  const how = until === null ? 'put away until someone writes in it' : when
  return drawChanged({ changed, next_event_id: 0 }, how)
}
