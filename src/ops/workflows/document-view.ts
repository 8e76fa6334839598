import { operation, quote, Refusal, sentence } from '../../core/error.ts'
import type { DocumentRevision } from '../../core/workflows/document-record.ts'
import { type AnswerOf, aFlag, aNumber, aRow, aText, CURSOR } from '../kit/answer.ts'
import { text } from '../kit/field.ts'

/** Leaves out the content: answers are kept for retries, but the content of old revisions is removed over time. */
export const CHANGED = {
  instance: aText('the instance'),
  file: aText('the document'),
  revision: aNumber('its new revision, from 1'),
  revision_id: aText("the revision's id"),
  sha256: aText('the digest of its text; empty if it was deleted'),
  bytes: aNumber('its size'),
  next_event_id: CURSOR,
}

export type ChangedDocument = AnswerOf<typeof CHANGED>

export const REVISION = aRow<DocumentRevisionView>('document revision', 'a change of a document', {
  revision_id: aText("the revision's id"),
  instance: aText('the instance'),
  run: aNumber('the run in which it was made, from 1'),
  file: aText('the document'),
  revision: aNumber('counts from 1'),
  change: aText('write, append, create, delete, or outside: changed without the program'),
  written_by: aText('the agent or person; empty for a change from outside'),
  sha256: aText('the digest of the text; empty if the document was gone'),
  bytes: aNumber('its size'),
  is_kept: aFlag('whether its text is still stored'),
  created_at: aText('when'),
})

export type DocumentRevisionView = Omit<DocumentRevision, 'thread_id'> & { revision_id: string }

export function revisionView({ thread_id, ...revision }: DocumentRevision): DocumentRevisionView {
  return { revision_id: thread_id, ...revision }
}

export const FILE_FIELD = text('the document, such as findings/auth.md', {
  max: 512,
  positional: true,
  leftOut: 'the entry point',
})

export const FILE_ARG = { about: 'path; else the entry point' }

export function noDocument(file: string) {
  const list = operation('workflow context doc list')
  return new Refusal('not_found', sentence`there is no document ${quote(file)}; see ${list}`, {
    file,
  })
}
