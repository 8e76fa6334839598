// The reads of documents' revisions, alike on both engines.

import type { DocumentLooks, DocumentReads } from '../../core/workflows/document-reads.ts'
import {
  DOCUMENT_REVISIONS,
  type DocumentRevision,
  holdsText,
} from '../../core/workflows/document-record.ts'
import { first, type Querier } from '../querier.ts'
import { type StoredRow, toRecord } from '../record-row.ts'
import { type ThreadRow, toThread } from '../threads/thread-row.ts'

/** More texts than a document keeps, so that those over the limit are among them. */
const MOST_KEPT = 200

export function makeDocumentReads(querier: Querier): DocumentReads {
  return {
    async revision(document, revision) {
      const row = await first(querier.all<StoredRow>('revision_get', { ...document, revision }))
      return row && toRevision(row)
    },
    async revisionText(thread_id) {
      type Said = { body: string; payload_json: string }
      const said = await first(querier.all<Said>('revision_text', { thread_id }))
      return said !== null && holdsText(said.payload_json) ? said.body : null
    },
    async keptRevisions(document) {
      const params = { ...document, limit: MOST_KEPT }
      return (await querier.all<StoredRow>('revisions_kept', params)).map(toRevision)
    },
  }
}

export function makeDocumentLooks(querier: Querier): DocumentLooks {
  return {
    async revisions(filter) {
      const query = filter.file === undefined ? 'revisions_of_instance' : 'revisions_of_document'
      return (await querier.all<StoredRow>(query, filter)).map(toRevision)
    },
    async prunableRevisions(before, limit) {
      const params = { before, thread_id: undefined, limit }
      return (await querier.all<ThreadRow>('revisions_prunable', params)).map(toThread)
    },
  }
}

function toRevision(row: StoredRow): DocumentRevision {
  return toRecord(DOCUMENT_REVISIONS, row)
}
