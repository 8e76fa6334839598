// The command that an approval runs, for each type of request that has one.

import type { WakeSettings } from '../agents/agent.ts'
import type { StoreRecord } from '../record.ts'
import {
  type FactsOf,
  INSTANT,
  NAME,
  nullOr,
  pick,
  type RowFrom,
  type Shape,
  text,
} from '../shape.ts'
import { LONGEST_TYPE } from './request-record.ts'

/** A program, its folder and its time limit: a subset of the wake settings. */
export type EffectRun = Pick<WakeSettings, 'command' | 'cwd' | 'timeout_seconds'>
const RUN: Shape<EffectRun> = { is: 'wake_settings' }

const FIELDS = {
  request_type: text({ max: LONGEST_TYPE }),
  run: RUN,
  set_by: NAME,
  set_at: INSTANT,
  /** Null while it is in effect. */
  removed_at: nullOr(INSTANT),
}
export type EffectCommand = RowFrom<typeof FIELDS>

const FACTS = {
  effect_set: pick(FIELDS, 'request_type', 'run'),
  effect_remove: pick(FIELDS, 'request_type'),
}
export type EffectCommandFacts = FactsOf<typeof FACTS>

export const EFFECT_COMMANDS: StoreRecord<EffectCommand, EffectCommandFacts> = {
  table: 'effect_commands',
  one: 'effect command',
  key: 'request_type',
  fields: FIELDS,
  facts: FACTS,
  events: {
    effect_set: {
      makes: (facts, { agent, at }) => ({ ...facts, set_by: agent, set_at: at }),
      keeps: [],
    },
    effect_remove: {
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
