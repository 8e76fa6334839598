// The record of a snooze, which keeps a thread off one person's desk until a given time or a new message, whichever comes
// first. Nothing runs at that time: every read compares it with the clock.

import { isPerson } from '../agents/agent.ts'
import type { StoreEvent } from '../event.ts'
import type { PruneRule, StoreRecord } from '../record.ts'
import {
  type FactsOf,
  ID,
  ID_OR_EMPTY,
  INSTANT,
  int,
  nullOr,
  PERSON,
  pick,
  type RowFrom,
  word,
} from '../shape.ts'
import type { Instant } from '../time.ts'

const SNOOZE_ID = word('a person and a thread, with a stroke between them', (key) =>
  isPerson(key.slice(0, Math.max(0, key.indexOf('/')))),
)

const FIELDS = {
  snooze_id: SNOOZE_ID,
  person: PERSON,
  thread_id: ID,
  /** Null if the thread is put away, so that only a new message brings it back. */
  until: nullOr(INSTANT),
  /** The `seq` of the last message in the thread that was delivered to the person. */
  upto: int({ min: 1 }),
  /** The message that the snooze keeps unread. Empty if the thread was unread anyway, or can't be kept unread. */
  kept: ID_OR_EMPTY,
  events: int({ min: 1 }),
  snoozed_at: INSTANT,
  ended_at: nullOr(INSTANT),
}

export type Snooze = RowFrom<typeof FIELDS>

const FACTS = {
  desk_snooze: pick(FIELDS, 'snooze_id', 'person', 'thread_id', 'until', 'upto', 'kept', 'events'),
  desk_unsnooze: pick(FIELDS, 'snooze_id', 'events'),
}
export type SnoozeFacts = FactsOf<typeof FACTS>

export const SNOOZES: StoreRecord<Snooze, SnoozeFacts> & { prune: PruneRule } = {
  table: 'snoozes',
  one: 'snooze',
  key: 'snooze_id',
  fields: FIELDS,
  facts: FACTS,
  events: {
    desk_snooze: {
      makes: (facts, { at }) => ({ ...facts, snoozed_at: at }),
      // A thread can be snoozed repeatedly.
      keeps: [],
    },
    desk_unsnooze: {
      changes: ({ events }, { at }) => ({ events, ended_at: at }),
    },
  },
  prune: { query: 'snoozes_prunable' },
  mustFollow(before, { type, events }) {
    if (events !== (before?.events ?? 0) + 1) throw new Error(`${type} is counted as ${events}`)
    if (type === 'desk_unsnooze' && before?.ended_at !== null) {
      throw new Error('desk_unsnooze of what is not snoozed')
    }
  },
  admit(facts, { agent }) {
    const { snooze_id } = facts
    if (!snooze_id.startsWith(`${agent}/`)) throw new Error('it is of somebody else’s desk')
    if (facts.type !== 'desk_snooze') return
    if (snooze_id !== snoozeId(facts.person, facts.thread_id)) {
      throw new Error(`${snooze_id} is another person’s, or of another thread`)
    }
  },
}

export function snoozeId(person: string, threadId: string): string {
  return `${person}/${threadId}`
}

/** Whether a snooze is still in effect for a thread whose latest message to the person has this `seq`. */
export function isAsleep(snooze: Snooze | null, seq: number, now: Instant): snooze is Snooze {
  return isLast(snooze, seq) && (snooze.until === null || snooze.until > now)
}

/** Whether the snooze ended because its time was up, not because of a new message. */
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
  const facts = { type: 'desk_snooze', snooze_id, ...want, events } as const
  return { agent: want.person, at: now, facts }
}

export function unsnooze({ snooze_id, person, events }: Snooze, now: Instant): StoreEvent {
  const facts = { type: 'desk_unsnooze', snooze_id, events: events + 1 } as const
  return { agent: person, at: now, facts }
}
