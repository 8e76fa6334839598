import { expect, test } from 'bun:test'
import { EFFECT_MOVES, type EffectMove, type EffectState, stateAfter } from './effect-record.ts'

const MOVES: EffectMove[] = ['start', 'finish', 'fail', 'lose', 'retry']

const TABLE: Record<EffectState, (EffectState | undefined)[]> = {
  waiting: ['running', undefined, 'failed', undefined, undefined],
  running: [undefined, 'done', 'failed', 'unknown', undefined],
  done: [undefined, undefined, undefined, undefined, undefined],
  failed: [undefined, undefined, undefined, undefined, 'waiting'],
  unknown: [undefined, undefined, undefined, undefined, 'waiting'],
}

test.each(Object.keys(EFFECT_MOVES) as EffectState[])(
  'every move of an effect that is %s',
  (state) => {
    expect(MOVES.map((move) => stateAfter(state, move))).toEqual(TABLE[state])
  },
)
