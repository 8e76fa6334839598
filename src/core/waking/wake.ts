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
