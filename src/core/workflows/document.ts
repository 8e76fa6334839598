// Creates the revision for a change to a document, and decides which old content is kept.

import { type SpokenEvent, SYSTEM, type ThreadEvent } from '../event.ts'
import { newThread, type Stamp, say, silentEvent, spokenEvent } from '../threads/commands.ts'
import type { ThreadState } from '../threads/evolve.ts'
import { type DocumentChange, type DocumentRevision, WITH_TEXT } from './document-record.ts'
import { bytesOf } from './instance-files.ts'

/** Limits how much old content of one document is kept. The newest two versions are always kept. */
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
  /** The writer; null for a change from outside the program. */
  by: string | null
  /** Null if the document is gone. */
  text: string | null
  /** Empty if the document is gone. */
  sha256: string
}

export function revise(want: RevisionWish, stamp: Stamp): SpokenEvent {
  const { thread_id, instance, run, file, revision, change, text, sha256 } = want
  const from = want.by ?? SYSTEM
  const words = { summary: file, body: text ?? '', payload_json: text === null ? '{}' : WITH_TEXT }
  const bytes = text === null ? 0 : bytesOf(text)
  const is_kept = text !== null
  const said = { from, to: `@${instance}`, kind: 'event', words } as const
  const thread = newThread(thread_id, instance, String(run))
  const revised = { instance, run, file, revision, change, sha256, bytes, is_kept }
  const event = spokenEvent(thread, say(thread, said, stamp), {
    type: 'document_revise',
    ...revised,
  })
  return { ...event, summary: `${change} ${file}` }
}

/** Which of the kept revisions (newest first) lose their content when versions of these sizes are added. */
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
  return silentEvent(thread, SYSTEM, now, { type: 'document_forget' })
}
