// Digests in a log, which must be of what the log says beside them.

import { type NamedDigest, rowsOf } from '../record.ts'
import type { LogEntry } from './keeper.ts'
import { isOfNoThread, type ReplayedLog, toEvent } from './replay.ts'

type LogState = Pick<ReplayedLog, 'known' | 'records'>

export function namesDigest({ known }: LogState, { event }: LogEntry): boolean {
  const { digested } = known.byEvent.get(event.event_type) ?? {}
  return digested?.events.includes(event.event_type) === true && !isOfNoThread(event)
}

/** The digest that an entry names, by its record's own rule; null if it names none. */
export function digestedIn({ known, records }: LogState, entry: LogEntry): NamedDigest | null {
  const { event, message } = entry
  const record = known.byEvent.get(event.event_type)
  if (record?.digested === undefined || message === null) return null
  if (!namesDigest({ known, records }, entry)) return null
  const before = rowsOf(records, record).get(event.thread_id) ?? null
  return record.digested.of(toEvent(event, message).facts, message, before)
}
