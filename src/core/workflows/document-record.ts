// The revisions of documents, one row each: who changed which document of which instance, and the digest of the new
// content. The content itself is the message of the revision's thread.
//
// (1) A change made outside the program is found when the document is next written. It becomes a separate revision
//     without an author, so that no content between two known revisions is lost.
// (2) The content of older revisions is dropped, so that a document that changes constantly takes little space. The
//     author, the time and the digest are kept.

import type { ThreadRecord } from '../record.ts'
import { readStored } from '../shallow.ts'
import {
  choice,
  type FactsOf,
  FLAG,
  ID,
  INSTANT,
  int,
  pick,
  type RowFrom,
  text,
  word,
} from '../shape.ts'
import { isInstanceName } from './instance.ts'

export const DOCUMENT_CHANGES = ['write', 'append', 'create', 'delete', 'outside'] as const
export type DocumentChange = (typeof DOCUMENT_CHANGES)[number]

const FIELDS = {
  /** The id of the revision. */
  thread_id: ID,
  instance: word('the name of an instance', isInstanceName),
  /** The run of the instance in which the revision was written. */
  run: int({ min: 1 }),
  file: text({ max: 512 }),
  /** Counts from 1 for each document. */
  revision: int({ min: 1 }),
  change: choice(DOCUMENT_CHANGES),
  /** The agent or person; empty for a change from outside the program. */
  written_by: text({ orEmpty: true }),
  /** Empty if the document was deleted. */
  sha256: word('a digest, or nothing', (text) => /^([0-9a-f]{64})?$/.test(text)),
  bytes: int({ min: 0 }),
  /** Whether the store still has the content. */
  is_kept: FLAG,
  created_at: INSTANT,
}
export type DocumentRevision = RowFrom<typeof FIELDS>

const FACTS = {
  document_revise: {
    ...pick(FIELDS, 'instance', 'run', 'file', 'revision'),
    ...pick(FIELDS, 'change', 'sha256', 'bytes', 'is_kept'),
  },
  document_forget: {},
}
export type DocumentFacts = FactsOf<typeof FACTS>

export const DOCUMENT_REVISIONS: ThreadRecord<DocumentRevision, DocumentFacts> = {
  table: 'document_revisions',
  one: 'revision',
  kind: 'document',
  key: 'thread_id',
  fields: FIELDS,
  facts: FACTS,
  events: {
    document_revise: {
      begins: 'document',
      says: ['event'],
      by: 'anyone',
      makes: (facts, { agent, at, thread_id }) => ({
        ...facts,
        thread_id,
        written_by: facts.change === 'outside' ? '' : agent,
        created_at: at,
      }),
    },
    // Drops old content; see (2).
    document_forget: {
      move: 'forget',
      by: 'system',
      trims: true,
      changes: () => ({ is_kept: false }),
    },
  },
  digested: {
    events: ['document_revise'],
    of(facts, { body, payload_json }) {
      const { sha256 } = facts as Extract<DocumentFacts, { type: 'document_revise' }>
      return { sha256, of: holdsText(payload_json) ? { text: body } : { sha256 } }
    },
  },
  admit(facts, { noted }) {
    if (facts.type !== 'document_revise') return
    const { instance, file, revision, change, sha256 } = facts
    if ((change === 'delete') !== (sha256 === '') && change !== 'outside') {
      throw new Error('only a document that was deleted has no digest')
    }
    const name = `${instance} ${revision} ${file}`
    if (noted.has(name)) throw new Error(`revision ${revision} of that document is there already`)
    noted.add(name)
  },
}

/** Set on a message that still has its content, but not on one that was trimmed or never had any. */
export const WITH_TEXT = JSON.stringify({ text: true })

export function holdsText(payloadJson: string): boolean {
  return (readStored(payloadJson) as { text?: unknown } | null)?.text === true
}
