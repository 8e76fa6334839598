// The record of an effect (effect.ts): what becomes of an approved request whose type has a command.

import { body, choice, INSTANT, int, nullOr, text } from '../fact-shape.ts'
import type { ThreadRecord } from '../record.ts'
import type { Instant } from '../time.ts'
import { type EffectMove, type EffectState, stateAfter } from './effect-state.ts'
import { REQUESTS } from './request-record.ts'

export type Effect = {
  /** The request's id. */
  thread_id: string
  state: EffectState
  /** Whether something is still to come: it waits, or runs. */
  is_open: boolean
  /** Counts its tries, from 1. */
  attempt: number
  queued_at: Instant
  started_at: Instant | null
  /** Until then whoever watches over it has time to say that it runs. Beside the log. */
  expires_at: Instant | null
  ended_at: Instant | null
  exit_code: number | null
  /** Why it failed, or nobody knows how it ended. */
  reason: string
  /** The end of the program's standard error. */
  stderr: string
}

export type EffectEnd = Pick<Effect, 'exit_code' | 'reason' | 'stderr'> & {
  state: 'done' | 'failed' | 'unknown'
}

export type EffectFacts =
  | { type: 'effect_queue'; attempt: number }
  | { type: 'effect_start'; attempt: number; expires_at: Instant }
  | ({ type: 'effect_end'; attempt: number } & EffectEnd)
  | { type: 'effect_retry'; attempt: number }

const ATTEMPT = int({ min: 1 })
const LARGEST_CODE = 2 ** 31
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
  columns: {
    thread_id: 'plain',
    state: 'plain',
    is_open: 'flag',
    attempt: 'plain',
    queued_at: 'plain',
    started_at: 'plain',
    expires_at: 'plain',
    ended_at: 'plain',
    exit_code: 'plain',
    reason: 'plain',
    stderr: 'plain',
  },
  events: {
    effect_queue: {
      move: 'note',
      by: 'anyone',
      facts: { attempt: ATTEMPT },
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
      facts: { attempt: ATTEMPT, expires_at: INSTANT },
      changes: ({ expires_at }, { at }) => ({ state: 'running', started_at: at, expires_at }),
    },
    effect_end: {
      move: 'note',
      by: 'system',
      facts: {
        attempt: ATTEMPT,
        state: choice(['done', 'failed', 'unknown']),
        exit_code: nullOr(int({ min: -LARGEST_CODE, max: LARGEST_CODE })),
        reason: text({ orEmpty: true }),
        stderr: body({ max: 4096, orEmpty: true }),
      },
      changes: ({ state, exit_code, reason, stderr }, { at }) => ({
        ...{ state, is_open: false, expires_at: null, ended_at: at, exit_code, reason, stderr },
      }),
    },
    effect_retry: {
      move: 'note',
      by: 'anyone',
      facts: { attempt: ATTEMPT },
      changes: ({ attempt }, { at }) => ({ attempt, queued_at: at, ...UNTRIED }),
    },
  },
  // Signs of life are outside the log.
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
