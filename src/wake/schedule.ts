// When an agent's timer is next due. Times that went by while no broker ran are one time, not many:
// what counts is the first one after the last wake by timer.

import type { SeenAgent } from '../core/agents/agent.ts'
import { quote, refuse } from '../core/error.ts'
import { field, sentence } from '../core/sentence.ts'
import { epochMs, type Instant, latest, plusSeconds, toInstant } from '../core/time.ts'
import type { WakeHistory } from '../core/waking/waking.ts'

export async function timerDue(
  { wake, registered_at }: Pick<SeenAgent, 'wake' | 'registered_at'>,
  { lastTimer }: Pick<WakeHistory, 'lastTimer'>,
): Promise<Instant | null> {
  const from = latest(lastTimer ?? '', wake.timer_since ?? registered_at)
  if (wake.every_seconds !== undefined) return plusSeconds(from, wake.every_seconds)
  // A line that names no time was refused where it was set; here it simply has none.
  return wake.cron === undefined ? null : nextTime(wake.cron, from).catch(() => null)
}

/** For whoever sets a line: it must name a time. */
export async function mustNameTime(line: string, now: Instant): Promise<void> {
  const why = await nextTime(line, now).then(
    (next) => (next === null ? 'it names no time' : undefined),
    (error: Error) => error.message.replace(/^CronPattern: /, ''),
  )
  if (why === undefined) return
  throw refuse(
    'invalid_input',
    sentence`${field('wake_cron')} ${quote(line)} cannot be used: ${why}`,
  )
}

async function nextTime(line: string, from: Instant): Promise<Instant | null> {
  // Only who has a cron line pays for reading it.
  const { Cron } = await import('croner')
  const next = new Cron(line, { paused: true }).nextRun(new Date(epochMs(from)))
  return next === null ? null : toInstant(next.getTime())
}
