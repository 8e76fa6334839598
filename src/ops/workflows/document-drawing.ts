// Documents and their revisions, as people see them.

import { nothingFor, type Page } from '../kit/drawing/page.ts'
import { oneLine, relative, safe, table } from '../kit/drawing/text.ts'
import type { DocumentList } from './context-doc-list.ts'
import type { ReadDocument } from './context-doc-read.ts'
import type { ChangedDocument, DocumentRevisionView } from './document-view.ts'

export function drawChanged({ file, revision }: ChangedDocument, done: string): string {
  return `${done} ${oneLine(file)} (revision ${revision})\n`
}

/** The text alone, so that it can go into a file. */
export function drawDocument({ content }: ReadDocument): string {
  return content === '' || content.endsWith('\n') ? safe(content) : `${safe(content)}\n`
}

export function drawDocuments({ documents, has_more }: DocumentList, page: Page): string {
  if (documents.length === 0) return nothingFor('no documents', page)
  const rows = documents.map(({ file, bytes, modified_at }) =>
    [oneLine(file), `${bytes} bytes`, relative(modified_at, page.now)].map((text) => ({ text })),
  )
  return table(rows, page.terminal.columns) + (has_more ? page.ink.dim('and more\n') : '')
}

export function drawHistory(
  { revisions }: { revisions: DocumentRevisionView[] },
  page: Page,
): string {
  if (revisions.length === 0) return nothingFor('no revisions', page)
  const rows = revisions.map(({ file, revision, change, written_by, created_at, is_kept }) =>
    [
      oneLine(file),
      `${revision}`,
      written_by === '' ? 'outside' : `${change} by ${written_by}`,
      relative(created_at, page.now),
      is_kept || change === 'delete' ? '' : 'text not kept',
    ].map((text) => ({ text })),
  )
  return table(rows, page.terminal.columns)
}
