// When an agent's timer is next due. Times that passed while no broker ran count as one: only the first one
// after the last wake by timer matters.

import type { SeenAgent } from '../core/agents/agent.ts'
import { quote, refuse } from '../core/error.ts'
import { field, sentence } from '../core/sentence.ts'
import { epochMs, type Instant, latest, plusSeconds, toInstant } from '../core/time.ts'
import type { WakeHistory } from '../core/waking/waking.ts'

/** A cron line names minutes: a time within the last one is due. */
const CRON_SECONDS = 60

export async function timerDue(
  { wake, registered_at }: Pick<SeenAgent, 'wake' | 'registered_at'>,
  { lastTimer }: Pick<WakeHistory, 'lastTimer'>,
  now: Instant,
): Promise<Instant | null> {
  const set = wake.timer_since ?? registered_at
  // Set by a clock that was ahead: it does not wait until the clock comes there.
  const since = set > now ? plusSeconds(now, -(wake.every_seconds ?? CRON_SECONDS)) : set
  const from = latest(lastTimer ?? '', since)
  if (wake.every_seconds !== undefined) return plusSeconds(from, wake.every_seconds)
  // A line that names no time was refused when it was set. If one is here all the same, the timer is never
  // due.
  return wake.cron === undefined ? null : nextTime(wake.cron, from).catch(() => null)
}

/** Refuses a cron line that never names a time. */
export async function mustNameTime(line: string, now: Instant): Promise<void> {
  const why = await cronFault(line, now)
  if (why === undefined) return
  throw refuse(
    'invalid_input',
    sentence`${field('wake_cron')} ${quote(line)} cannot be used: ${why}`,
  )
}

/** The reason why a cron line never names a time; undefined if it names one. */
export async function cronFault(line: string, now: Instant): Promise<string | undefined> {
  return nextTime(line, now).then(
    (next) => (next === null ? 'it names no time' : undefined),
    (error: Error) => error.message.replace(/^CronPattern: /, ''),
  )
}

async function nextTime(line: string, from: Instant): Promise<Instant | null> {
  // Only agents with a cron line pay for loading its parser.
  const { Cron } = await import('croner')
  const next = new Cron(line, { paused: true }).nextRun(new Date(epochMs(from)))
  return next === null ? null : toInstant(next.getTime())
}
