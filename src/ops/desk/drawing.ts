// A person's desk, as the shell shows it.

import { goOn, type Page } from '../kit/drawing/page.ts'
import { type Cell, count, oneLine, relative, table } from '../kit/drawing/text.ts'
import type { DeskList, DeskRow } from './desk-list.ts'

export function drawDesk({ rows, unread, next_before }: DeskList, page: Page): string {
  const { ink, terminal } = page
  const end = ink.dim(unread === 0 ? 'nothing unread\n' : `${count(unread, 'thread')} unread\n`)
  if (rows.length === 0) return `nothing was delivered\n${end}`
  const cells = rows.map((row) => cellsOf(row, page))
  return `${table(cells, terminal.columns)}${end}${goOn(page, 'before', next_before)}`
}

function cellsOf(row: DeskRow, { ink, now }: Page): Cell[] {
  return [
    { text: row.thread_id },
    { text: row.what, ink: ink.cyan },
    { text: row.unread === 0 ? '' : 'unread', ink: ink.yellow },
    { text: row.from },
    { text: relative(row.at, now), ink: ink.dim },
    { text: oneLine(row.title) },
  ]
}
