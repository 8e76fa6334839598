// An agent of a workflow is started only by its runner. This module explains why the runner won't start it for a new
// message, so that the sender can be told.

import type { SeenAgent } from '../agents/agent.ts'
import { type Instant, plusSeconds } from '../time.ts'
import { type HeldInstance, isHeld, isToStop } from '../workflows/instance.ts'
import { BUDGET_SECONDS, type WakeHistory } from './waking.ts'

type Turns = Pick<WakeHistory, 'starts' | 'firstStart'>

/** The time from which an agent's turns are counted: the start of the run, or an hour ago in start mode. */
function turnsCountFrom(
  { mode, started_at }: Pick<HeldInstance, 'mode' | 'started_at'>,
  now: Instant,
): Instant {
  return mode === 'run' ? started_at : plusSeconds(now, -BUDGET_SECONDS)
}

/** Returns null if the agent will be started. Calls `turnsOf` only if the number of turns matters. */
export async function explainNoStart(
  { agent_id, wake }: Pick<SeenAgent, 'agent_id' | 'wake'>,
  instance: HeldInstance | null,
  now: Instant,
  turnsOf: (since: Instant) => Promise<Turns>,
): Promise<string | null> {
  const waits = 'the message waits until the workflow is resumed'
  if (instance === null || !isHeld(instance, now)) {
    return `no runner is active for ${wake.runner}; ${waits}`
  }
  if (isToStop(instance, agent_id)) return `it was stopped; ${waits}`
  const isRun = instance.mode === 'run'
  const most = isRun ? wake.max_turns : wake.budget_per_hour
  if (most === undefined) return null
  const { starts, firstStart } = await turnsOf(turnsCountFrom(instance, now))
  if (starts < most) return null
  const all = most === 1 ? 'its only turn' : `all of its ${most} turns`
  if (isRun) return `it has had ${all} in this run; ${waits}`
  const again = plusSeconds(firstStart ?? now, BUDGET_SECONDS)
  return `it has had ${all} in an hour; the message waits until ${again}; max_turns gives it more`
}
