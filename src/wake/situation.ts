// Everything that decides an agent's next wake, at this moment. Asked outside a transaction the answer is a
// guess; asked inside one, under the agent's lock, it is the truth.

import type { SeenAgent } from '../core/agents/agent.ts'
import type { Reads } from '../core/store.ts'
import { epochMs, type Instant, plusSeconds } from '../core/time.ts'
import { VOCABULARY } from '../core/vocabulary.ts'
import { mustRetryTimer } from '../core/waking/retry.ts'
import type { WakeCause } from '../core/waking/wake.ts'
import {
  BUDGET_SECONDS,
  inHandsUntil,
  isTooFar,
  isWaking,
  mayStart,
  type Ruling,
  type Verdict,
  type WakeHistory,
} from '../core/waking/waking.ts'
import { type Owner, sinceThen } from './owner.ts'
import { timerDue } from './schedule.ts'

const PAGE = 200

const NO_MAIL = {
  ...{ count: 0, tooFar: 0, newestEvent: 0, hops: 0, resumes: false },
  ...{ why: '', again: null },
}

export type Situation = {
  agent: SeenAgent
  now: Instant
  history: WakeHistory
  /** Why the agent would be started, if it may be. */
  cause: WakeCause | null
  /** The unread mail that wakes the agent: how much there is, its newest event, and its deepest hop. */
  mail: {
    count: number
    /** Messages that are too many wakes away from a person's words to wake it. */
    tooFar: number
    newestEvent: number
    hops: number
    /** Whether some of it lets an agent run go on. */
    resumes: boolean
    why: string
    /** When mail that the agent took by itself may wake it after all. */
    again: Instant | null
  }
  /** When the agent's timer is due next; this may be in the past. */
  timer: Instant | null
  ruling: Ruling
}

export async function situationOf(
  reads: Reads,
  agentId: string,
  offsetMinutes: (epochMs: number) => number,
  owner?: Owner,
): Promise<Situation | null> {
  const [agent, now] = await Promise.all([reads.agent(agentId), reads.now()])
  if (agent === null) return null
  const history = sinceThen(
    await reads.wakeHistory(agentId, plusSeconds(now, -BUDGET_SECONDS)),
    owner,
  )
  const isOpen = history.last !== null && history.last.ended_at === null
  const [mail, timer] = await Promise.all([
    // New mail does not matter during a turn: the question is asked again at its end.
    isOpen ? NO_MAIL : wakingMail(reads, agent, history.handed, now),
    timerDue(agent, history, now),
  ])
  // Any wake counts for a timer that is due, whatever else the agent was to be woken for.
  const isDue = (timer !== null && timer <= now) || mustRetryTimer(agent, history)
  const forMail = mail.resumes ? 'workspace_event' : mail.count > 0 ? 'mail' : null
  const cause = isDue ? 'timer' : forMail
  const local = { now, offsetMinutes: offsetMinutes(epochMs(now)) }
  const ruling: Ruling =
    cause === null && !isOpen
      ? { wakes: false, why: mail.why, again: sooner(timer, mail.again) }
      : mayStart(agent, history, { cause: cause ?? 'mail', newestEvent: mail.newestEvent }, local)
  return { agent, now, history, cause, mail, timer, ruling }
}

async function wakingMail(
  reads: Reads,
  agent: SeenAgent,
  handed: number,
  now: Instant,
): Promise<Situation['mail']> {
  let count = 0
  let tooFar = 0
  let newestEvent = 0
  let hops = 0
  let resumes = false
  let after = handed
  let again: Instant | null = null
  let verdict: Verdict = { wakes: false, why: 'there is no new mail that could wake it' }
  for (;;) {
    const page = await reads.wakeMail({ agent: agent.agent_id, after, limit: PAGE })
    for (const item of page) {
      const { event_id, kind, from_agent: from, hops: depth, agent_run_id } = item
      const mail = { ...item, type: VOCABULARY[kind].type, from }
      let one: Verdict = isWaking(agent, mail)
      // A runner's agent works in turns alone: what was shown to it elsewhere is in nobody's hands.
      const isAlone = agent.wake.runner === undefined
      const until = one.wakes && isAlone ? inHandsUntil(agent, item, now) : null
      if (until !== null) {
        one = { wakes: false, why: `${agent.agent_id} took its mail by itself, and was seen` }
        again = sooner(again, until)
      }
      if (one.wakes || !verdict.wakes) verdict = one
      if (!one.wakes && isTooFar(agent, depth)) tooFar += 1
      if (!one.wakes) continue
      count += 1
      newestEvent = event_id
      hops = Math.max(hops, depth)
      resumes ||= agent_run_id !== null
    }
    after = page.at(-1)?.event_id ?? after
    if (page.length < PAGE) {
      return { count, tooFar, newestEvent, hops, resumes, why: verdict.why, again }
    }
  }
}

function sooner(one: Instant | null, other: Instant | null): Instant | null {
  if (one === null || other === null) return one ?? other
  return one < other ? one : other
}
