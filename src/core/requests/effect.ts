// An effect is what follows an approval: the owner's command for the request's type, started once.
//
// (1) It is queued in the transaction of the decision. A decision from an imported log doesn't queue one.
// (2) Its start is recorded before the program is started. If the supervisor dies after that, the effect isn't started
//     again, because there's no way to know whether the program had begun.
// (3) Only a person can retry it, after it failed or its outcome became unknown.
// (4) Each try has a number. The supervisor of an earlier try no longer has a say.

import { operation, refuse } from '../error.ts'
import { SYSTEM, type ThreadEvent } from '../event.ts'
import { silentEvent } from '../threads/commands.ts'
import type { ThreadState } from '../threads/evolve.ts'
import { type Instant, plusSeconds } from '../time.ts'
import { type Effect, type EffectEnd, stateAfter } from './effect-record.ts'

export const EFFECT_SECONDS = 600

export const EFFECT_HELD =
  "its command was not set on this machine; see it and allow it with 'inbox wake allow'"
export const NO_COMMAND = 'its type no longer has a command'
export const EFFECT_LOST = 'its supervisor is gone, and it is unknown how far it got'

/** Whether the effect has lost its supervisor: its lease has lapsed, even if that isn't recorded yet. */
export function isLost({ state, expires_at }: Pick<Effect, 'state' | 'expires_at'>, now: Instant) {
  return state === 'running' && (expires_at ?? '') <= now
}

export const LOST_END = {
  state: 'unknown',
  exit_code: null,
  reason: EFFECT_LOST,
  stderr: '',
} as const

/** The name under which a type's command is allowed on a machine. No agent can have this name. */
export function effectName(requestType: string): string {
  return `effect:${requestType}`
}

export function queueEffect({ thread }: ThreadState, by: string, now: Instant): ThreadEvent {
  return silentEvent(thread, by, now, { type: 'effect_queue', attempt: 1 })
}

export function startEffect(
  { thread }: ThreadState,
  { attempt }: Effect,
  { by, now, leaseSeconds }: { by: string; now: Instant; leaseSeconds: number },
): ThreadEvent {
  const expires_at = plusSeconds(now, leaseSeconds)
  return silentEvent(thread, by, now, { type: 'effect_start', attempt, expires_at })
}

export function endEffect(
  { thread }: ThreadState,
  { attempt }: Effect,
  end: EffectEnd,
  { by, now }: { by: string; now: Instant },
): ThreadEvent {
  return silentEvent(thread, by, now, { type: 'effect_end', attempt, ...end }, end.reason)
}

/** Queues the next try. If the effect was lost but that isn't recorded yet, records it first. */
export function retryEffect(
  state: ThreadState,
  effect: Effect | null,
  { by, now }: { by: string; now: Instant },
): ThreadEvent[] {
  const { thread_id: request_id } = state.thread
  if (effect === null)
    throw refuse.invalid_state`request ${{ request_id }} has no effect: it was not approved here, or its type had no command then; see ${operation('request effects')}`
  const lost = isLost(effect, now) ? [endEffect(state, effect, LOST_END, { by: SYSTEM, now })] : []
  if (lost.length === 0 && stateAfter(effect.state, 'retry') === undefined)
    throw refuse.invalid_state`the effect of request ${{ request_id }} is ${{ effect: effect.state }}; only one that failed or was lost can be tried again`
  const attempt = effect.attempt + 1
  return [...lost, silentEvent(state.thread, by, now, { type: 'effect_retry', attempt })]
}
