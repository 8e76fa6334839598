// Whether words to an agent will be heard, said beside the answer: what was sent is kept either way.

import { type SeenAgent, statusOf } from '../core/agent.ts'
import type { Instant } from '../core/time.ts'
import { type WakingMail, wakesFor } from '../core/waking.ts'

export type Reach = {
  reachable: boolean
  /** The broker will start it. */
  wakes: boolean
  why: string
}

export function reachOf(
  agent: SeenAgent | null,
  mail: WakingMail,
  { name, now }: { name: string; now: Instant },
): Reach {
  if (agent === null) {
    return { reachable: false, wakes: false, why: `nothing is known of ${name} but its name` }
  }
  const verdict = wakesFor(agent, mail, now)
  if (verdict.wakes) return { reachable: true, ...verdict }
  const status = statusOf(agent, now)
  if (status === 'running' || status === 'idle') {
    return { reachable: true, wakes: false, why: `${name} is ${status} and reads it next` }
  }
  const seen = agent.seen_at === null ? '' : ` and was last seen at ${agent.seen_at}`
  const why = status === 'off' ? verdict.why : `${verdict.why}${seen}`
  return { reachable: false, wakes: false, why: `${why}; the reply is kept for it` }
}
