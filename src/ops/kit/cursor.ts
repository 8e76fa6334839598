import { quote, refuse, type Sentence } from '../../core/error.ts'
import type { Store } from '../../core/store.ts'
import { type Instant, toInstant } from '../../core/time.ts'

/** Without this check, a call with a mistyped cursor or one from another store would wait forever. */
export async function mustBeInLog(store: Store, cursor: number): Promise<void> {
  const last = await store.lastEventId()
  if (cursor <= Math.max(last, await store.floor())) return
  throw refuse.invalid_input`event ${cursor} is not in this log, which ends at ${last}; is this the right store?`
}

/** Pruned events can't be replayed, so a reader that would miss some is refused, never silently skipped ahead. */
export async function mustBeAboveFloor(store: Store, cursor: number): Promise<void> {
  const floor = await store.floor()
  if (cursor < floor) mustBeAbove({ floor, end: await store.lastEventId() }, cursor)
}

/**
 * Same as mustBeAboveFloor, for callers that have already read the end and the floor. They must read the end before the
 * log, and the floor after it.
 */
export function mustBeAbove({ floor, end }: { floor: number; end: number }, cursor: number): void {
  if (cursor >= floor) return
  throw refuse.cursor_expired`events up to ${{ floor }} were pruned, so you cannot resume from ${cursor}; list the threads, then continue from ${end}`
}

const CURSOR = /^\d{1,15}$/
const TIME = /^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}(:\d{2}(\.\d{1,9})?)?(Z|[+-]\d{2}:\d{2}))?$/

/** Where to start: after an event of the log, or at a point in time. */
export type Since = { after: number; since?: Instant; isCursor: boolean }

export function parseSince(text: string | undefined, label: Sentence): Since {
  if (text === undefined) return { after: 0, isCursor: false }
  if (CURSOR.test(text)) return { after: Number(text), isCursor: true }
  return { after: 0, since: parseTime(text, label, 'an event id or a time'), isCursor: false }
}

export function parseTime(text: string, label: Sentence, what = 'a time'): Instant {
  const ms = TIME.test(text) ? Date.parse(text) : Number.NaN
  if (!Number.isNaN(ms)) return toInstant(ms)
  throw refuse.invalid_input`${label} ${quote(text)} is not ${what}; a time is written 2026-03-01T08:00:00Z`
}
