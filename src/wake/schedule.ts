// Computes when an agent's timer is next due. Times that passed while no broker was running count as one: only the
// first one after the last wake by timer matters.

import type { SeenAgent } from '../core/agents/agent.ts'
import { field, quote, refuse } from '../core/error.ts'
import { epochMs, type Instant, latest, plusSeconds, toInstant } from '../core/time.ts'
import type { WakeHistory } from '../core/waking/waking.ts'

/** Cron lines have minute resolution: a time within the last minute is due. */
const CRON_SECONDS = 60

export async function timerDue(
  { wake, registered_at }: Pick<SeenAgent, 'wake' | 'registered_at'>,
  { lastTimer }: Pick<WakeHistory, 'lastTimer'>,
  now: Instant,
): Promise<Instant | null> {
  const set = wake.timer_since ?? registered_at
  // If the timer was set while the clock was fast, don't wait for the clock to catch up.
  const since = set > now ? plusSeconds(now, -(wake.every_seconds ?? CRON_SECONDS)) : set
  const from = latest(lastTimer ?? '', since)
  if (wake.every_seconds !== undefined) return plusSeconds(from, wake.every_seconds)
  // A line that never matches is refused when it's set. If there is one here anyway, the timer is never due.
  return wake.cron === undefined ? null : nextTime(wake.cron, from).catch(() => null)
}

export async function mustNameTime(line: string, now: Instant): Promise<void> {
  const why = await cronFault(line, now)
  if (why === undefined) return
  throw refuse.invalid_input`${field('wake_cron')} ${quote(line)} cannot be used: ${why}`
}

/** Why a cron line never matches a time; undefined if it does match one. */
export async function cronFault(line: string, now: Instant): Promise<string | undefined> {
  return nextTime(line, now).then(
    (next) => (next === null ? 'it names no time' : undefined),
    (error: Error) => error.message.replace(/^CronPattern: /, ''),
  )
}

async function nextTime(line: string, from: Instant): Promise<Instant | null> {
  // Loaded lazily, so that only agents with a cron line pay for the parser.
  const { Cron } = await import('croner')
  const next = new Cron(line, { paused: true }).nextRun(new Date(epochMs(from)))
  return next === null ? null : toInstant(next.getTime())
}
