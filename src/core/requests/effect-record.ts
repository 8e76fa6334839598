// The record of an effect (effect.ts): what follows the approval of a request whose type has a command.

import type { Note } from '../note.ts'
import type { ThreadRecord } from '../record.ts'
import {
  choice,
  EXIT_CODE,
  type FactsOf,
  FLAG,
  ID,
  INSTANT,
  int,
  nullOr,
  pick,
  type RowFrom,
  STDERR,
  text,
} from '../shape.ts'
import type { Instant } from '../time.ts'
import { REQUESTS } from './request-record.ts'

/** The states of an effect and its moves. The table is complete: a move not listed for a state is refused. */
export const EFFECT_MOVES = {
  waiting: { start: 'running', fail: 'failed' },
  running: { finish: 'done', fail: 'failed', lose: 'unknown' },
  done: {},
  failed: { retry: 'waiting' },
  unknown: { retry: 'waiting' },
} as const

export type EffectState = keyof typeof EFFECT_MOVES
const EFFECT_STATES = Object.keys(EFFECT_MOVES) as EffectState[]
export type EffectMove = 'start' | 'finish' | 'fail' | 'lose' | 'retry'

const FIELDS = {
  thread_id: ID,
  state: choice(EFFECT_STATES),
  /** True while the effect is waiting or running. */
  is_open: FLAG,
  /** The number of the current try, counting from 1. */
  attempt: int({ min: 1 }),
  queued_at: INSTANT,
  started_at: nullOr(INSTANT),
  /** When the lease lapses, unless the supervisor renews it. Outside the log. */
  expires_at: nullOr(INSTANT),
  ended_at: nullOr(INSTANT),
  exit_code: EXIT_CODE,
  /** Why it failed, or why its outcome is unknown. */
  reason: text({ orEmpty: true }),
  stderr: STDERR,
}
export type Effect = RowFrom<typeof FIELDS>

const FACTS = {
  effect_queue: pick(FIELDS, 'attempt'),
  effect_start: { ...pick(FIELDS, 'attempt'), expires_at: INSTANT },
  effect_end: {
    ...pick(FIELDS, 'attempt', 'exit_code', 'reason', 'stderr'),
    state: choice(['done', 'failed', 'unknown']),
  },
  effect_retry: pick(FIELDS, 'attempt'),
}
export type EffectFacts = FactsOf<typeof FACTS>
export type EffectEnd = Omit<Extract<EffectFacts, { type: 'effect_end' }>, 'type' | 'attempt'>

/** Until `expires_at`, a running effect is presumed to be still running. */
export const EFFECT_LEASE: Note<{ thread_id: string; expires_at: Instant }> = {
  query: 'effect_keep',
}

const UNTRIED = {
  state: 'waiting',
  is_open: true,
  started_at: null,
  expires_at: null,
  ended_at: null,
  exit_code: null,
  reason: '',
  stderr: '',
} as const

export const EFFECTS: ThreadRecord<Effect, EffectFacts> = {
  table: 'effects',
  one: 'effect',
  kind: 'request',
  key: 'thread_id',
  fields: FIELDS,
  facts: FACTS,
  events: {
    effect_queue: {
      move: 'note',
      by: 'anyone',
      makes: ({ attempt }, { at, thread_id }) => ({
        thread_id,
        attempt,
        queued_at: at,
        ...UNTRIED,
      }),
    },
    effect_start: {
      move: 'note',
      by: 'system',
      changes: ({ expires_at }, { at }) => ({ state: 'running', started_at: at, expires_at }),
    },
    effect_end: {
      move: 'note',
      by: 'system',
      changes: ({ type: _, attempt: __, ...end }, { at }) => ({
        ...end,
        is_open: false,
        expires_at: null,
        ended_at: at,
      }),
    },
    effect_retry: {
      move: 'note',
      by: 'anyone',
      changes: ({ attempt }, { at }) => ({ attempt, queued_at: at, ...UNTRIED }),
    },
  },
  // Renewals are outside the log.
  witnessed: ({ expires_at: _, ...effect }) => effect,
  mustFollow(before, facts) {
    if (facts.type === 'effect_queue' || before === null) return
    const move = moveOf(facts)
    if (stateAfter(before.state, move) === undefined) {
      throw new Error(`${facts.type} of an effect that is ${before.state}`)
    }
    const expected = before.attempt + (move === 'retry' ? 1 : 0)
    if (facts.attempt !== expected) {
      throw new Error(`${facts.type} of try ${facts.attempt}, where ${expected} is next`)
    }
  },
  admit(facts, { rows, thread_id }) {
    if (facts.type !== 'effect_queue') return
    if (rows(REQUESTS).get(thread_id)?.status !== 'approved') {
      throw new Error('it queues the effect of a request that is not approved')
    }
    if (facts.attempt !== 1) throw new Error('it does not begin with the first try')
  },
}

const ENDS: Record<EffectEnd['state'], EffectMove> = {
  done: 'finish',
  failed: 'fail',
  unknown: 'lose',
}

function moveOf(facts: Exclude<EffectFacts, { type: 'effect_queue' }>): EffectMove {
  if (facts.type === 'effect_end') return ENDS[facts.state]
  return facts.type === 'effect_start' ? 'start' : 'retry'
}

export function stateAfter(state: EffectState, move: EffectMove): EffectState | undefined {
  const moves: Partial<Record<EffectMove, EffectState>> = EFFECT_MOVES[state]
  return moves[move]
}
