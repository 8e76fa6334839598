// Exports all messages that match the filters as one file, oldest first. The log is read page by page from its end, so the
// file has nothing newer than the click. Each page becomes a Blob right away: otherwise a long history would be in memory
// twice.

import { call, type PageInput } from '../../api/call.ts'
import type { PastMail } from './pages.ts'
import type { HistorySearch } from './search.ts'

const PAGE = 500

export type ExportForm = 'json' | 'ndjson'

export type ExportOrder = {
  input: PageInput<'mail history'>
  /** For the file name. Without a date, it has the date of the first or last message. */
  days: Pick<HistorySearch, 'from' | 'to'>
  form: ExportForm
}

export type ExportedFile = { name: string; count: number; file: Blob }

export async function exportAll(
  { input, days, form }: ExportOrder,
  signal: AbortSignal,
  onProgress: (count: number) => void,
): Promise<ExportedFile> {
  const exported_at = new Date().toISOString()
  const pieces: Blob[] = []
  let count = 0
  let newest: string | undefined
  let oldest: string | undefined
  let before: number | null = null
  do {
    const at: { before?: number } = before === null ? {} : { before }
    const page = await call('mail history', { ...input, limit: PAGE, ...at }, { signal })
    signal.throwIfAborted()
    const { messages } = page
    newest ??= messages[0]?.created_at
    oldest = messages.at(-1)?.created_at ?? oldest
    if (messages.length > 0) pieces.push(new Blob([pieceOf(messages, form)]))
    count += messages.length
    onProgress(count)
    before = page.next_before
  } while (before !== null)
  const header = JSON.stringify({ exported_at, filter: input, count, order: 'asc' })
  const from = days.from ?? dayOf(oldest ?? exported_at)
  const to = days.to ?? dayOf(newest ?? exported_at)
  const parts = pieces.reverse()
  return {
    name: `history_${from}_${to}.${form}`,
    count,
    file:
      form === 'ndjson'
        ? new Blob([`{"header":${header}}\n`, ...parts], { type: 'application/x-ndjson' })
        : new Blob(withCommas(header, parts), { type: 'application/json' }),
  }
}

/** The page's messages, oldest first. */
function pieceOf(messages: readonly PastMail[], form: ExportForm): string {
  const lines = messages.toReversed().map((one) => JSON.stringify(one))
  return form === 'ndjson' ? `${lines.join('\n')}\n` : lines.join(',\n')
}

function withCommas(header: string, parts: readonly Blob[]): BlobPart[] {
  const between = parts.flatMap((part, at) => (at === 0 ? [part] : [',\n', part]))
  return [`{"header":${header},"messages":[\n`, ...between, '\n]}\n']
}

/** The local date. */
function dayOf(at: string): string {
  const date = new Date(at)
  const two = (value: number) => String(value).padStart(2, '0')
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`
}

export function save({ name, file }: ExportedFile): void {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(file)
  link.download = name
  link.click()
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000)
}
