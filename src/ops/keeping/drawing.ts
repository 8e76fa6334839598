import type { Finding } from '../../core/keeping/keeper.ts'
import { THREAD_KINDS } from '../../core/kinds.ts'
import { RECORDS } from '../../core/records.ts'
import type { PruneTotals } from '../../core/store.ts'
import { THREAD_COLUMNS } from '../inbox/drawing.ts'
import { drawTable } from '../kit/drawing/columns.ts'
import type { Page } from '../kit/drawing/page.ts'
import { count, makeSafe } from '../kit/drawing/text.ts'
import type { FileForm, ImportAnswer } from './import.ts'
import type { PruneAnswer } from './prune.ts'

export function drawFindings(
  { healthy, findings }: { healthy: boolean; findings: Finding[] },
  { ink }: Page,
): string {
  const lines = findings.map(({ check, ok, detail, warning, remedy }) => {
    const mark = ok ? ink.green('ok  ') : warning ? ink.yellow('warn') : ink.red('FAIL')
    return `${mark}  ${check.padEnd(13)}${makeSafe(detail)}\n${remedy === undefined ? '' : `      ${' '.repeat(13)}${remedy}\n`}`
  })
  return `${lines.join('')}${healthy ? 'healthy' : ink.red('not healthy')}\n`
}

const FORM_WORDS: Record<FileForm, string> = {
  log: 'a log',
  mailbox: 'a mailbox',
  entries: 'entries',
}

export function drawImport(imported: ImportAnswer & { as: FileForm }): string {
  const { as, events, messages, rejected, rejected_lines, set_aside_in } = imported
  const lines = rejected.map(({ line, why }) => `line ${line} set aside: ${why}\n`)
  const more = rejected_lines - rejected.length
  if (more > 0) lines.push(`${count(more, 'more line')} set aside\n`)
  const where = set_aside_in === null ? '' : `set aside in ${set_aside_in}\n`
  const what =
    messages === undefined
      ? count(events, 'event')
      : `${count(messages.added, 'message')}, ${messages.known} known before`
  return `${FORM_WORDS[as]}: ${what}\n${lines.join('')}${where}`
}

export function drawPruning({ dry_run, threads, removed, notes }: PruneAnswer, page: Page): string {
  const list = dry_run ? drawTable(threads, THREAD_COLUMNS, page) : ''
  const verb = dry_run ? 'would remove' : 'removed'
  const kinds = THREAD_KINDS.map((kind) => ({ kind, ...removed.kinds[kind] }))
    .filter(({ threads }) => threads > 0)
    .map(
      ({ kind, threads, messages }) =>
        `${verb} ${count(threads, 'thread')} of ${kind} with ${count(messages, 'message')}\n`,
    )
  const records = prunedRecords(removed).map(
    ({ n, one, table }) => `${verb} ${count(n, one, table)}\n`,
  )
  const lines = [...kinds, ...records]
  if (lines.length === 0) lines.push(`${verb} nothing\n`)
  return list + lines.join('') + notes.map((note) => `${note}\n`).join('')
}

export function prunedRecords(removed: PruneTotals): { one: string; table: string; n: number }[] {
  const counts: Record<string, unknown> = removed
  return RECORDS.all
    .map(({ one, table }) => ({ one, table, n: Number(counts[table] ?? 0) }))
    .filter(({ n }) => n > 0)
}
