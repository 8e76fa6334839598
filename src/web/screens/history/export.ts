// Exports all messages that match the filters as one file, oldest first. The log is read page by page from its end, so
// the file contains nothing newer than the click. Each page becomes a Blob right away, because otherwise a long history
// would be in memory twice.

import type { PageInput } from '../../api/call.ts'
import { everyPage } from '../../api/pages.ts'
import { dateOf } from '../../ui/moment.tsx'
import type { PastMail } from './pages.ts'
import type { HistorySearch } from './search.ts'

const PAGE = 500

export type ExportForm = 'json' | 'ndjson'

export type ExportOrder = {
  input: PageInput<'mail history'>
  /** The dates in the file name. A missing one is replaced by the date of the first or last message. */
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
  for await (const { messages } of everyPage(
    'mail history',
    { ...input, limit: PAGE },
    { signal },
  )) {
    signal.throwIfAborted()
    newest ??= messages[0]?.created_at
    oldest = messages.at(-1)?.created_at ?? oldest
    if (messages.length > 0) pieces.push(new Blob([pieceOf(messages, form)]))
    count += messages.length
    onProgress(count)
  }
  const header = JSON.stringify({ exported_at, filter: input, count, order: 'asc' })
  const from = days.from ?? dateOf(new Date(oldest ?? exported_at))
  const to = days.to ?? dateOf(new Date(newest ?? exported_at))
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

function pieceOf(messages: readonly PastMail[], form: ExportForm): string {
  const lines = messages.toReversed().map((one) => JSON.stringify(one))
  return form === 'ndjson' ? `${lines.join('\n')}\n` : lines.join(',\n')
}

function withCommas(header: string, parts: readonly Blob[]): BlobPart[] {
  const between = parts.flatMap((part, at) => (at === 0 ? [part] : [',\n', part]))
  return [`{"header":${header},"messages":[\n`, ...between, '\n]}\n']
}

export function save({ name, file }: ExportedFile): void {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(file)
  link.download = name
  link.click()
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000)
}
