// The record of a snooze: a person, and a thread they don't want to see for now.

import { isPerson } from '../agents/agent.ts'
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
  word,
} from '../shape.ts'
import { type Snooze, snoozeId } from './snooze.ts'

const SNOOZE_ID = word('a person and a thread, with a stroke between them', (key) =>
  isPerson(key.slice(0, Math.max(0, key.indexOf('/')))),
)

export const SNOOZE_FIELDS = {
  snooze_id: SNOOZE_ID,
  person: PERSON,
  thread_id: ID,
  /** Null: put away, so only a new message brings it back. */
  until: nullOr(INSTANT),
  /** The `seq` of the last message in the thread that was delivered to the person. */
  upto: int({ min: 1 }),
  /** The message that the snooze keeps unread; empty if something was unread anyway, or nothing can be. */
  kept: ID_OR_EMPTY,
  /** The number of events of this snooze. */
  events: int({ min: 1 }),
  snoozed_at: INSTANT,
  ended_at: nullOr(INSTANT),
}

const FACTS = {
  desk_snooze: pick(
    SNOOZE_FIELDS,
    'snooze_id',
    'person',
    'thread_id',
    'until',
    'upto',
    'kept',
    'events',
  ),
  desk_unsnooze: pick(SNOOZE_FIELDS, 'snooze_id', 'events'),
}
export type SnoozeFacts = FactsOf<typeof FACTS>

export const SNOOZES: StoreRecord<Snooze, SnoozeFacts> & { prune: PruneRule } = {
  table: 'snoozes',
  one: 'snooze',
  key: 'snooze_id',
  fields: SNOOZE_FIELDS,
  facts: FACTS,
  events: {
    desk_snooze: {
      makes: (facts, { at }) => ({ ...facts, snoozed_at: at }),
      // A thread is snoozed again and again.
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
