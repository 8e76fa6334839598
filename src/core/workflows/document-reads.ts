// The store's answers about revisions of documents.

import type { Thread } from '../threads/thread.ts'
import type { Instant } from '../time.ts'
import type { DocumentRevision } from './document-record.ts'

type DocumentName = { instance: string; file: string }

export interface DocumentReads {
  /** The last revision of a document, or the one of this number. */
  revision(document: DocumentName, revision?: number): Promise<DocumentRevision | null>
  /** The text that a revision's thread holds. */
  revisionText(threadId: string): Promise<string | null>
  /** The revisions whose text is kept, the newest first. */
  keptRevisions(document: DocumentName): Promise<DocumentRevision[]>
}

export interface DocumentLooks {
  /** The newest first: of one document, or of all of an instance. */
  revisions(filter: {
    instance: string
    file?: string | undefined
    limit: number
  }): Promise<DocumentRevision[]>
  /** Revisions that a newer one replaced before then, or whose instance was over by then. */
  prunableRevisions(before: Instant, limit: number): Promise<Thread[]>
}
