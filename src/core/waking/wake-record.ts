// The record of a wake, which is one start of an agent's program by the broker. A wake ends in one of three states.

import type { Note } from '../note.ts'
import type { PruneRule, StoreRecord, WithIds } from '../record.ts'
import {
  AGENT,
  COUNT,
  choice,
  EVENT_ID,
  EXIT_CODE,
  type FactsOf,
  ID,
  INSTANT,
  nullOr,
  pick,
  type RowFrom,
  STDERR,
  text,
} from '../shape.ts'
import type { Instant } from '../time.ts'

export const WAKE_STATES = ['starting', 'running', 'ended', 'failed', 'lost'] as const
export type WakeState = (typeof WAKE_STATES)[number]
/** `workspace_event` means that an agent run is resumed because its review was decided. */
export const WAKE_CAUSES = ['mail', 'timer', 'workspace_event'] as const
export type WakeCause = (typeof WAKE_CAUSES)[number]

export const WAKE_FIELDS = {
  wake_id: ID,
  agent_id: AGENT,
  state: choice(WAKE_STATES),
  cause: choice(WAKE_CAUSES),
  /** Mail up to this event was passed to the program. */
  upto_event: EVENT_ID,
  /** Counts failed starts in a row. */
  attempt: COUNT,
  hops: COUNT,
  token: text({ max: 128 }),
  started_at: INSTANT,
  /** The end of the wake's lease: its supervisor has until then to renew it. */
  expires_at: INSTANT,
  ended_at: nullOr(INSTANT),
  exit_code: EXIT_CODE,
  reason: text({ orEmpty: true }),
  stderr: STDERR,
}
export type Wake = RowFrom<typeof WAKE_FIELDS>

/** Notes that a wake is running and is presumed to keep running until `expires_at`. */
export const WAKE_LEASE: Note<{ wake_id: string; expires_at: Instant }> = { query: 'wake_keep' }

const FACTS = {
  wake_start: {
    ...pick(WAKE_FIELDS, 'wake_id', 'agent_id', 'cause', 'upto_event'),
    ...pick(WAKE_FIELDS, 'attempt', 'hops', 'token', 'expires_at'),
  },
  wake_end: {
    ...pick(WAKE_FIELDS, 'wake_id', 'agent_id', 'upto_event', 'exit_code', 'reason', 'stderr'),
    state: choice(['ended', 'failed', 'lost']),
  },
}
export type WakeFacts = FactsOf<typeof FACTS>

export const WAKES: StoreRecord<Wake, WakeFacts> & WithIds<'wake'> & { prune: PruneRule } = {
  table: 'wakes',
  one: 'wake',
  key: 'wake_id',
  prefix: 'wak',
  fields: WAKE_FIELDS,
  facts: FACTS,
  events: {
    wake_start: {
      makes: (facts, { at }) => ({
        ...facts,
        state: 'starting',
        started_at: at,
        reason: '',
        stderr: '',
      }),
    },
    wake_end: {
      changes: ({ type: _, wake_id: __, agent_id: ___, ...end }, { at }) => ({
        ...end,
        ended_at: at,
      }),
    },
  },
  prune: { query: 'wakes_prunable' },
  // The log doesn't record whether the wake is running or when its lease expires.
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
