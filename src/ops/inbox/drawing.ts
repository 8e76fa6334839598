// Threads in lists, as people see them.

import type { ThreadStatus } from '../../core/kinds.ts'
import type { Thread } from '../../core/threads/thread.ts'
import { idIn, type Page } from '../kit/drawing/page.ts'
import { type Cell, type Ink, oneLine, type Palette, relative, table } from '../kit/drawing/text.ts'
import type { NotWoken } from './not-woken.ts'

export function statusInk(status: ThreadStatus, ink: Palette): Ink {
  const inks: Partial<Record<ThreadStatus, Ink>> = {
    pending: ink.yellow,
    claimed: ink.cyan,
    in_progress: ink.blue,
    blocked: ink.red,
    done: ink.green,
    failed: ink.red,
    cancelled: ink.dim,
    trashed: ink.dim,
    deleted: ink.dim,
  }
  // All other statuses are neither waiting nor over.
  return inks[status] ?? ink.cyan
}

export function threadCells(thread: Thread, page: Page): Cell[] {
  const { ink, now } = page
  const extra = page.terminal.isTty
  return [
    { text: idIn(thread.thread_id, page) },
    { text: thread.status, ink: statusInk(thread.status, ink) },
    { text: thread.priority === 'normal' ? '' : thread.priority, ink: ink.bold },
    // A mail thread is assigned to nobody.
    {
      text: [thread.created_by, thread.assigned_to].filter((name) => name !== '').join(' → '),
      extra,
    },
    { text: relative(thread.updated_at, now), ink: ink.dim, extra },
    { text: oneLine(thread.subject) },
  ]
}

/** One line for each thread. */
export function drawThreads(threads: Thread[], page: Page): string {
  const rows = threads.map((thread) => threadCells(thread, page))
  return table(rows, page.terminal.columns)
}

/** One line for each recipient that the message does not wake. */
export function drawNotWoken({ not_woken = [] }: NotWoken, { ink }: Page): string {
  const notes = not_woken.map(({ recipient, why }) => `${recipient} is not woken: ${why}\n`)
  return ink.yellow(notes.join(''))
}
