// The command that an approval sets off, for each type of request that has one.

import type { WakeSettings } from '../agents/agent.ts'
import { type Shape, text } from '../fact-shape.ts'
import type { StoreRecord } from '../record.ts'
import type { Instant } from '../time.ts'
import { LONGEST_TYPE } from './request-record.ts'

/** A program, where it runs and for how long: the part of wake settings that says so. */
export type EffectRun = Pick<WakeSettings, 'command' | 'cwd' | 'timeout_seconds'>

export type EffectCommand = {
  request_type: string
  run: EffectRun
  set_by: string
  set_at: Instant
  /** Null while it holds. */
  removed_at: Instant | null
}

export type EffectCommandFacts =
  | { type: 'effect_set'; request_type: string; run: EffectRun }
  | { type: 'effect_remove'; request_type: string }

const TYPE = text({ max: LONGEST_TYPE })
const RUN: Shape<EffectRun> = { is: 'wake_settings' }

export const EFFECT_COMMANDS: StoreRecord<EffectCommand, EffectCommandFacts> = {
  table: 'effect_commands',
  one: 'effect command',
  key: 'request_type',
  columns: {
    request_type: 'plain',
    run: { json: 'run_json' },
    set_by: 'plain',
    set_at: 'plain',
    removed_at: 'plain',
  },
  events: {
    effect_set: {
      facts: { request_type: TYPE, run: RUN },
      makes: ({ request_type, run }, { agent, at }) => ({
        ...{ request_type, run, set_by: agent, set_at: at, removed_at: null },
      }),
      keeps: [],
    },
    effect_remove: {
      facts: { request_type: TYPE },
      changes: (_, { at }) => ({ removed_at: at }),
    },
  },
  mustFollow(before, { type }) {
    if (type === 'effect_remove' && before !== null && before.removed_at !== null) {
      throw new Error('an effect that was removed is removed again')
    }
  },
  admit(facts) {
    if (facts.type === 'effect_set' && facts.run.command === undefined) {
      throw new Error('it sets an effect without a command')
    }
  },
}
