// The states of an effect, and all that can happen to it. The table is total: a move that a state does not name is refused.

export const EFFECT_MOVES = {
  waiting: { start: 'running', fail: 'failed' },
  running: { finish: 'done', fail: 'failed', lose: 'unknown' },
  done: {},
  failed: { retry: 'waiting' },
  unknown: { retry: 'waiting' },
} as const

export type EffectState = keyof typeof EFFECT_MOVES
export const EFFECT_STATES = Object.keys(EFFECT_MOVES) as EffectState[]
export type EffectMove = 'start' | 'finish' | 'fail' | 'lose' | 'retry'

export function stateAfter(state: EffectState, move: EffectMove): EffectState | undefined {
  const moves: Partial<Record<EffectMove, EffectState>> = EFFECT_MOVES[state]
  return moves[move]
}
