// A wake is one start of an agent's program by the broker: begun, and ended in one of three ways.

import type { WakeFacts } from './agent.ts'
import type { Instant } from './time.ts'

type Started = Extract<WakeFacts, { type: 'wake_start' }>
type Ended = Extract<WakeFacts, { type: 'wake_end' }>

export type Wake = Omit<Started, 'type'> & {
  state: 'running' | Ended['state']
  started_at: Instant
  ended_at: Instant | null
  exit_code: number | null
  reason: string
}

export function evolveWake(wake: Wake | null, facts: WakeFacts, at: Instant): Wake {
  if (facts.type === 'wake_start') {
    if (wake !== null) throw new Error('a wake begins once')
    const { type: _, ...fields } = facts
    const open = { state: 'running', ended_at: null, exit_code: null, reason: '' } as const
    return { ...fields, ...open, started_at: at }
  }
  if (wake === null) throw new Error('the end of a wake that never began')
  if (wake.ended_at !== null) throw new Error('the end of a wake that is over')
  const { state, exit_code, reason } = facts
  return { ...wake, state, exit_code, reason, ended_at: at }
}
