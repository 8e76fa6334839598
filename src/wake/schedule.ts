// When an agent's timer is next due. Times that went by while no broker ran are one time, not many:
// what counts is the first one after the last wake by timer.

import type { SeenAgent } from '../core/agent.ts'
import { epochMs, type Instant, latest, plusSeconds, toInstant } from '../core/time.ts'
import type { WakeHistory } from '../core/waking.ts'

type Timed = Pick<SeenAgent, 'wake' | 'registered_at'>

export async function timerDue(
  { wake, registered_at }: Timed,
  { lastTimer }: Pick<WakeHistory, 'lastTimer'>,
): Promise<Instant | null> {
  const from = latest(lastTimer ?? '', wake.timer_since ?? registered_at)
  if (wake.every_seconds !== undefined) return plusSeconds(from, wake.every_seconds)
  if (wake.cron === undefined) return null
  // Only who has a cron line pays for reading it.
  const { Cron } = await import('croner')
  try {
    const next = new Cron(wake.cron, { paused: true }).nextRun(new Date(epochMs(from)))
    return next === null ? null : toInstant(next.getTime())
  } catch {
    // A line that no clock understands names no time; it is refused where it is set.
    return null
  }
}
