// Reads about revisions of documents.

import type { Thread } from '../threads/thread.ts'
import type { Instant } from '../time.ts'
import type { DocumentRevision } from './document-record.ts'

type DocumentName = { instance: string; file: string }

export interface DocumentReads {
  /** The last revision of a document, or the one with this number. */
  revision(document: DocumentName, revision?: number): Promise<DocumentRevision | null>
  /** The text in a revision's thread. */
  revisionText(threadId: string): Promise<string | null>
  /** Revisions whose text is kept, newest first. */
  keptRevisions(document: DocumentName): Promise<DocumentRevision[]>
}

export interface DocumentLooks {
  /** Newest first, of one document or of all documents of an instance. */
  revisions(filter: {
    instance: string
    file?: string | undefined
    limit: number
  }): Promise<DocumentRevision[]>
  /** Revisions that were replaced before then, or whose instance had ended by then. */
  prunableRevisions(before: Instant, limit: number): Promise<Thread[]>
}
