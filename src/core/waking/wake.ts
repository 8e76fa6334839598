// A wake is one start of an agent's program by the broker: begun, and ended in one of three ways.

import type { Instant } from '../time.ts'

export type WakeState = 'starting' | 'running' | 'ended' | 'failed' | 'lost'
export type WakeCause = 'mail' | 'timer'

export type Wake = {
  wake_id: string
  agent_id: string
  state: WakeState
  cause: WakeCause
  /** Mail up to this event was handed over. */
  upto_event: number
  /** Counts up over failures in a row. */
  attempt: number
  hops: number
  token: string
  started_at: Instant
  /** Until then whoever watches over it has time to show that it is alive. */
  expires_at: Instant
  ended_at: Instant | null
  exit_code: number | null
  reason: string
  /** The end of what it wrote to standard error. */
  stderr: string
}

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

export function evolveWake(wake: Wake | null, facts: WakeFacts, at: Instant): Wake {
  if (facts.type === 'wake_start') {
    if (wake !== null) throw new Error('a wake begins once')
    const { type: _, ...fields } = facts
    const open = {
      state: 'starting',
      ended_at: null,
      exit_code: null,
      reason: '',
      stderr: '',
    } as const
    return { ...fields, ...open, started_at: at }
  }
  if (wake === null) throw new Error('the end of a wake that never began')
  if (wake.ended_at !== null) throw new Error('the end of a wake that is over')
  const { state, upto_event, exit_code, reason, stderr } = facts
  return { ...wake, state, upto_event, exit_code, reason, stderr, ended_at: at }
}

/** A wake without its signs of life, which are outside the log: running, and until when it is believed. */
export function withoutSigns(wake: Wake): Omit<Wake, 'expires_at'> {
  const { expires_at: _, ...rest } = wake
  return rest.state === 'running' ? { ...rest, state: 'starting' } : rest
}
