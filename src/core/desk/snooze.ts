// A snooze keeps a thread off one person's desk until a given time or a new message, whichever comes first. Nothing
// runs at that time: every read compares it with the clock.

import type { StoreEvent } from '../event.ts'
import type { RowFrom } from '../shape.ts'
import type { Instant } from '../time.ts'
import type { SNOOZE_FIELDS } from './snooze-record.ts'

export type Snooze = RowFrom<typeof SNOOZE_FIELDS>

export function snoozeId(person: string, threadId: string): string {
  return `${person}/${threadId}`
}

/** Whether a snooze still holds for a thread whose latest message to the person has this `seq`. */
export function isAsleep(snooze: Snooze | null, seq: number, now: Instant): snooze is Snooze {
  return isLast(snooze, seq) && (snooze.until === null || snooze.until > now)
}

/** Whether the snooze ended because of its time, not because of a new message. */
export function isOver(snooze: Snooze | null, seq: number, now: Instant): snooze is Snooze {
  return isLast(snooze, seq) && snooze.until !== null && snooze.until <= now
}

function isLast(snooze: Snooze | null, seq: number): snooze is Snooze {
  return snooze !== null && snooze.ended_at === null && seq <= snooze.upto
}

export type SnoozeWish = Pick<Snooze, 'person' | 'thread_id' | 'until' | 'upto' | 'kept'>

export function snooze(before: Snooze | null, want: SnoozeWish, now: Instant): StoreEvent {
  const snooze_id = snoozeId(want.person, want.thread_id)
  const events = (before?.events ?? 0) + 1
  return {
    agent: want.person,
    at: now,
    facts: { type: 'desk_snooze', snooze_id, ...want, events },
  }
}

export function unsnooze({ snooze_id, person, events }: Snooze, now: Instant): StoreEvent {
  return {
    agent: person,
    at: now,
    facts: { type: 'desk_unsnooze', snooze_id, events: events + 1 },
  }
}
