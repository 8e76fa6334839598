// The record of a snooze: a person, and a thread that they do not want to see for now.

import { isPerson } from '../agents/agent.ts'
import { ID, INSTANT, int, nullOr, PERSON, word } from '../fact-shape.ts'
import type { PruneRule, StoreRecord } from '../record.ts'
import { type Snooze, snoozeId } from './snooze.ts'

export type SnoozeFacts =
  | ({ type: 'desk_snooze' } & Omit<Snooze, 'snoozed_at' | 'ended_at'>)
  | ({ type: 'desk_unsnooze' } & Pick<Snooze, 'snooze_id' | 'events'>)

const SNOOZE_ID = word('a person and a thread, with a stroke between them', (key) =>
  isPerson(key.slice(0, Math.max(0, key.indexOf('/')))),
)
const EVENTS = int({ min: 1 })

export const SNOOZES: StoreRecord<Snooze, SnoozeFacts> & { prune: PruneRule } = {
  table: 'snoozes',
  one: 'snooze',
  key: 'snooze_id',
  columns: {
    snooze_id: 'plain',
    person: 'plain',
    thread_id: 'plain',
    until: 'plain',
    upto: 'plain',
    kept: 'plain',
    events: 'plain',
    snoozed_at: 'plain',
    ended_at: 'plain',
  },
  events: {
    desk_snooze: {
      facts: {
        snooze_id: SNOOZE_ID,
        person: PERSON,
        thread_id: ID,
        until: nullOr(INSTANT),
        upto: int({ min: 1 }),
        kept: { is: 'id', orEmpty: true },
        events: EVENTS,
      },
      makes: ({ type: _, ...fields }, { at }) => ({ ...fields, snoozed_at: at, ended_at: null }),
      // A thread is snoozed again and again.
      keeps: [],
    },
    desk_unsnooze: {
      facts: { snooze_id: SNOOZE_ID, events: EVENTS },
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
