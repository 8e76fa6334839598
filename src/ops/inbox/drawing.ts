import type { ThreadStatus } from '../../core/kinds.ts'
import type { Thread } from '../../core/threads/thread.ts'
import {
  ago,
  bold,
  dim,
  drawTable,
  extra,
  type InkName,
  id,
  inInk,
  type ListColumn,
} from '../kit/drawing/columns.ts'
import type { Page } from '../kit/drawing/page.ts'
import { count } from '../kit/drawing/text.ts'
import type { NotWoken } from './not-woken.ts'
import type { Swept } from './sweep.ts'

const STATUS_INKS: Partial<Record<ThreadStatus, InkName>> = {
  pending: 'yellow',
  claimed: 'cyan',
  in_progress: 'blue',
  blocked: 'red',
  done: 'green',
  failed: 'red',
  cancelled: 'dim',
  trashed: 'dim',
  deleted: 'dim',
}

export function statusInk({ status }: { status: ThreadStatus }): InkName {
  return STATUS_INKS[status] ?? 'cyan'
}

export const THREAD_COLUMNS: ListColumn<Thread>[] = [
  id('thread_id'),
  inInk('status', statusInk),
  bold(({ priority }) => (priority === 'normal' ? '' : priority)),
  // A mail thread has no assignee.
  extra(({ created_by, assigned_to }) =>
    assigned_to === '' ? created_by : `${created_by} → ${assigned_to}`,
  ),
  extra(dim(ago('updated_at'))),
  'subject',
]

/** One line for each recipient that the message doesn't wake. */
export function drawNotWoken({ not_woken = [] }: NotWoken, { ink }: Page): string {
  const notes = not_woken.map(({ recipient, why }) => `${recipient} is not woken: ${why}\n`)
  return ink.yellow(notes.join(''))
}

export function drawSwept({ threads, expired, bounced, requests }: Swept, page: Page): string {
  const list = drawTable(threads, THREAD_COLUMNS, page, 'no lapsed lease')
  const late = expired.length === 0 ? '' : `${count(expired.length, 'message')} expired unread\n`
  const back = bounced === 0 ? '' : `${count(bounced, 'message')} bounced\n`
  const due = requests === 0 ? '' : `applied what was due on ${count(requests, 'request')}\n`
  return list + late + back + due
}
