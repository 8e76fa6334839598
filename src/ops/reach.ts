// Whether words to an agent will be heard, said beside the answer: what was sent is kept either way.

import { statusOf } from '../core/agent.ts'
import type { Tx } from '../core/store.ts'
import { epochMs, type Instant, plusSeconds } from '../core/time.ts'
import { BUDGET_SECONDS, type WakingMail, wakesFor } from '../core/waking.ts'
import type { Context } from './operation.ts'

export type Reach = {
  reachable: boolean
  /** The broker will start it. */
  wakes: boolean
  why: string
}

export async function reachOf(
  tx: Tx,
  mail: WakingMail,
  { name, now, launcher }: { name: string; now: Instant; launcher: Context['launcher'] },
): Promise<Reach> {
  const [agent, history] = await Promise.all([
    tx.agent(name),
    tx.wakeHistory(name, plusSeconds(now, -BUDGET_SECONDS)),
  ])
  if (agent === null) {
    return { reachable: false, wakes: false, why: `nothing is known of ${name} but its name` }
  }
  // Without a machine of our own, quiet hours are told by UTC.
  const offsetMinutes = launcher?.offsetMinutes(epochMs(now)) ?? 0
  const { wakes, why: ruled, again } = wakesFor(agent, mail, history, { now, offsetMinutes })
  if (wakes) return { reachable: true, wakes, why: ruled }
  const status = statusOf(agent, now)
  if (status === 'running' || status === 'idle') {
    const next = `${name} is ${status} and reads it next`
    // Nobody may be there to read: what the broker will do about that is part of the answer.
    const why = again === null ? next : `${next}; ${ruled}, and the broker looks again at ${again}`
    return { reachable: true, wakes: false, why }
  }
  const seen = agent.seen_at === null ? '' : ` and was last seen at ${agent.seen_at}`
  const why = status === 'off' ? ruled : `${ruled}${seen}`
  return { reachable: false, wakes: false, why: `${why}; the reply is kept for it` }
}
