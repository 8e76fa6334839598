// Makes the revision for a change of a document, and decides which texts are kept.

import { type SpokenEvent, SYSTEM, type ThreadEvent } from '../event.ts'
import { eventBase, type Stamp, say } from '../threads/commands.ts'
import type { ThreadState } from '../threads/evolve.ts'
import { type DocumentChange, type DocumentRevision, WITH_TEXT } from './document-record.ts'
import { bytesOf } from './instance-files.ts'

/** How much text of one document is kept. The newest two texts are always kept. */
const MOST_TEXTS = 100
const MOST_TEXT_BYTES = 8 * 1_048_576
const SURE_TEXTS = 2

export type RevisionWish = {
  thread_id: string
  instance: string
  run: number
  file: string
  revision: number
  change: DocumentChange
  /** The writer; empty for a change from outside. */
  by: string | null
  /** Null if the document is gone. */
  text: string | null
  /** Empty if the document is gone. */
  sha256: string
}

export function revise(want: RevisionWish, stamp: Stamp): SpokenEvent {
  const { thread_id, instance, run, file, revision, change, text, sha256 } = want
  const from = want.by ?? SYSTEM
  const words = {
    summary: file,
    body: text ?? '',
    payload_json: text === null ? '{}' : WITH_TEXT,
    artifacts: [],
  }
  const bytes = text === null ? 0 : bytesOf(text)
  const is_kept = text !== null
  const said = { from, to: `@${instance}`, kind: 'event', words } as const
  return {
    thread_id,
    run_id: instance,
    task_id: String(run),
    agent: from,
    at: stamp.now,
    summary: `${change} ${file}`,
    message: say({ thread_id, message_count: 0 }, said, stamp),
    facts: {
      type: 'document_revise',
      instance,
      run,
      file,
      revision,
      change,
      sha256,
      bytes,
      is_kept,
    },
  }
}

/** Which kept revisions (newest first) lose their text once texts of these sizes are added. */
export function tooMany(
  kept: readonly DocumentRevision[],
  added: readonly number[],
): DocumentRevision[] {
  let bytes = added.reduce((sum, size) => sum + size, 0)
  return kept.filter((revision, at) => {
    const place = at + added.length
    bytes += revision.bytes
    return place >= MOST_TEXTS || (place >= SURE_TEXTS && bytes > MOST_TEXT_BYTES)
  })
}

export function forget({ thread }: ThreadState, now: string): ThreadEvent {
  return {
    ...eventBase(thread, SYSTEM, now),
    summary: '',
    message: null,
    facts: { type: 'document_forget' },
  }
}
