// A wake is one start of an agent's program by the broker: begun, and ended in one of three ways.

import type { Instant } from '../time.ts'

export type WakeState = 'starting' | 'running' | 'ended' | 'failed' | 'lost'
/** A workspace event lets an agent run go on, whose review was decided. */
export const WAKE_CAUSES = ['mail', 'timer', 'workspace_event'] as const
export type WakeCause = (typeof WAKE_CAUSES)[number]

export type Wake = {
  wake_id: string
  agent_id: string
  state: WakeState
  cause: WakeCause
  /** Mail up to this event was handed over. */
  upto_event: number
  /** Counts failed starts in a row. */
  attempt: number
  hops: number
  token: string
  started_at: Instant
  /** The end of the wake's lease: until then its supervisor has time to renew it. */
  expires_at: Instant
  ended_at: Instant | null
  exit_code: number | null
  reason: string
  /** The end of the program's standard error. */
  stderr: string
}
