// The record of a wake.

import {
  AGENT,
  body,
  COUNT,
  choice,
  EVENT_ID,
  ID,
  INSTANT,
  int,
  nullOr,
  text,
} from '../fact-shape.ts'
import type { PruneRule, StoreRecord } from '../record.ts'
import type { Instant } from '../time.ts'
import { WAKE_CAUSES, type Wake, type WakeCause } from './wake.ts'

export type WakeFacts =
  | {
      type: 'wake_start'
      wake_id: string
      agent_id: string
      cause: WakeCause
      upto_event: number
      attempt: number
      hops: number
      token: string
      expires_at: Instant
    }
  | {
      type: 'wake_end'
      wake_id: string
      agent_id: string
      state: 'ended' | 'failed' | 'lost'
      /** Mail up to this event was handed over. */
      upto_event: number
      exit_code: number | null
      reason: string
      stderr: string
    }

const LARGEST_CODE = 2 ** 31

export const WAKES: StoreRecord<Wake, WakeFacts> & {
  one: 'wake'
  prefix: string
  prune: PruneRule
} = {
  table: 'wakes',
  one: 'wake',
  key: 'wake_id',
  prefix: 'wak',
  columns: {
    wake_id: 'plain',
    agent_id: 'plain',
    state: 'plain',
    cause: 'plain',
    upto_event: 'plain',
    attempt: 'plain',
    hops: 'plain',
    token: 'plain',
    started_at: 'plain',
    expires_at: 'plain',
    ended_at: 'plain',
    exit_code: 'plain',
    reason: 'plain',
    stderr: 'plain',
  },
  events: {
    wake_start: {
      facts: {
        wake_id: ID,
        agent_id: AGENT,
        cause: choice(WAKE_CAUSES),
        upto_event: EVENT_ID,
        attempt: COUNT,
        hops: COUNT,
        token: text({ max: 128 }),
        expires_at: INSTANT,
      },
      makes: ({ type: _, ...fields }, { at }) => ({
        ...fields,
        state: 'starting',
        started_at: at,
        ended_at: null,
        exit_code: null,
        reason: '',
        stderr: '',
      }),
    },
    wake_end: {
      facts: {
        wake_id: ID,
        agent_id: AGENT,
        state: choice(['ended', 'failed', 'lost']),
        upto_event: EVENT_ID,
        exit_code: nullOr(int({ min: -LARGEST_CODE, max: LARGEST_CODE })),
        reason: text({ orEmpty: true }),
        stderr: body({ max: 4096, orEmpty: true }),
      },
      changes: ({ type: _, wake_id: __, agent_id: ___, ...end }, { at }) => ({
        ...end,
        ended_at: at,
      }),
    },
  },
  prune: { query: 'wakes_prunable' },
  // Signs of life are outside the log: that the wake runs, and until when that is believed.
  witnessed({ expires_at: _, ...wake }) {
    return wake.state === 'running' ? { ...wake, state: 'starting' } : wake
  },
  mustFollow(before, { type }) {
    if (type === 'wake_end' && (before?.ended_at ?? null) !== null) {
      throw new Error('wake_end of a wake that is over')
    }
  },
  admit(facts, { event_id, before, noted: awake }) {
    const { agent_id } = facts
    if (facts.type === 'wake_end') {
      if (before?.agent_id !== agent_id) throw new Error('it ends the wake of another agent')
      awake.delete(agent_id)
      return
    }
    if (awake.has(agent_id)) throw new Error('it wakes an agent whose last wake is not over')
    if (facts.upto_event >= event_id) throw new Error('it hands over mail from after it')
    awake.add(agent_id)
  },
}
