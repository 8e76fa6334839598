// Pure functions that decide whether an agent is started for its mail. The broker calls them twice: when it looks for
// work, and again under the agent's lock just before it starts anything.
// (1) `status` never wakes an agent. An agent isn't woken by its own message, or by one that was imported.
// (2) Only a dormant agent is woken, not one that is off, running, waiting or idle, or that has no command. An idle
//     agent is presumed present for a minute after a call. Its mail is checked again after that, so none is lost.
// (3) An agent has one wake at a time. Mail that arrives during a turn leads to the next one.
// (4) After a turn that ended well, only newer mail wakes the agent again. A failed turn doesn't use up its mail.
// (5) Failures are retried after growing pauses. After the last retry, only new mail leads to another attempt.
// (6) Mail that an agent took on its own belongs to that agent: as long as the agent is seen, it isn't started for that
//     mail. For two minutes it is presumed to be working on the mail, even without another sign of life, and isn't
//     started for any other reason.
// (7) A decision on the review of an agent run isn't ordinary mail. If the run continues because of it, the decision
//     wakes the agent even if other mail of its type wouldn't. It doesn't if the run is over or is waiting for another
//     decision.
// (8) Every verdict includes its reason, which `wake explain` shows.

import {
  byTheClock,
  EVIDENCE_SECONDS,
  isPerson,
  isWakeable,
  lastSign,
  ORCHESTRATOR,
  type SeenAgent,
  seenUntil,
  standingOf,
  type WakeSettings,
} from '../agents/agent.ts'
import type { Delivery } from '../inbox/delivery.ts'
import type { AgentRunStatus } from '../requests/agent-run-status.ts'
import { epochMs, type Instant, plusSeconds, toInstant } from '../time.ts'
import { MAIL_TYPES, type MailType } from '../vocabulary.ts'
import type { Wake, WakeCause } from './wake-record.ts'

export type WakingMail = {
  type: MailType
  from: string
  hops: number
  imported_by?: string | null
  /** The agent run whose review the message decides, with its current state. */
  agent_run_id?: string | null
  agent_run_status?: AgentRunStatus | null
}
export type Verdict = { wakes: boolean; why: string }
/** A verdict, and when it can change if time alone can change it. */
export type Ruling = Verdict & { again: Instant | null }

const ORCHESTRATOR_WAKES: readonly MailType[] = ['task-done', 'review-result', 'question']
const OTHERS_WAKE: readonly MailType[] = ['task-assigned', 'review-request', 'question', 'answer']

/** Limits the wakes since a person's message. Beyond this, agents are only talking to each other. */
const HOP_LIMIT = 32
const BUDGET_PER_HOUR = 30
/** How soon to check again on an agent that runs on its own and has mail that would wake it. */
const LOOK_AGAIN_SECONDS = 30
/** How long an agent that took mail on its own is presumed to be working on it. */
const AT_IT_SECONDS = 120
/** The period over which the budget of starts is counted. */
export const BUDGET_SECONDS = 3600

/** The types of messages that wake this agent if a person sends them. */
export function wakingTypesOfPeople(agent: Pick<SeenAgent, 'role' | 'wake'>): readonly MailType[] {
  if (agent.wake.types !== undefined) return wakingTypes(agent)
  return MAIL_TYPES.filter((type) => type !== 'status')
}

/** The types of messages that wake this agent, whoever sends them. */
export function wakingTypes({ role, wake }: Pick<SeenAgent, 'role' | 'wake'>): readonly MailType[] {
  const types = wake.types ?? (role === ORCHESTRATOR ? ORCHESTRATOR_WAKES : OTHERS_WAKE)
  return types.filter((type) => type !== 'status')
}

/** Whether this message would start this agent if it were sent now. */
export function wakesFor(
  agent: SeenAgent,
  mail: WakingMail,
  history: StartHistory,
  local: LocalTime,
): Ruling {
  const waking = isWaking(agent, mail)
  const isOpen = history.last !== null && history.last.ended_at === null
  if (!waking.wakes && !isOpen) return { ...waking, again: null }
  const reason = { cause: 'mail', newestEvent: Number.POSITIVE_INFINITY } as const
  const ruling = mayStart(agent, history, reason, local)
  return ruling.wakes ? { ...ruling, why: `${ruling.why}, and ${waking.why}` } : ruling
}

/** The time until which mail belongs to an agent that took it on its own; null if it doesn't. */
export function inHandsUntil(
  seen: Pick<SeenAgent, 'declared_status' | 'declared_at' | 'seen_at' | 'turn_at'>,
  { presented_at, presented_by }: Pick<Delivery, 'presented_at' | 'presented_by'>,
  now: Instant,
): Instant | null {
  if (presented_at === null || presented_by === 'wake' || presented_at > now) return null
  const agent = byTheClock(seen, now)
  const { seen_at } = agent
  // Taking mail counts as a sign of life, because not every call is noted.
  const last = (seen_at ?? '') > presented_at ? (seen_at as Instant) : presented_at
  if (wentToSleep(agent, last)) return null
  const until = plusSeconds(last, EVIDENCE_SECONDS)
  return until > now ? until : null
}

/** Whether the agent was declared dormant after this moment. */
function wentToSleep(
  { declared_status, declared_at }: Pick<SeenAgent, 'declared_status' | 'declared_at'>,
  after: Instant,
): boolean {
  return declared_status === 'dormant' && (declared_at ?? '') >= after
}

/** Whether this message would wake this agent, regardless of what the agent is doing. */
export function isWaking(agent: SeenAgent, mail: WakingMail): Verdict {
  const { type, from, hops, imported_by = null, agent_run_id: run = null } = mail
  const { agent_id, wake } = agent
  if (from === agent_id) return no('no agent is woken by its own message')
  if (type === 'status') return no('status never wakes an agent')
  if (imported_by !== null)
    return no(`it was imported by ${imported_by}, and imported mail wakes no one`)
  if (isTooFar(agent, hops)) {
    const limit = wake.hop_limit ?? HOP_LIMIT
    return no(`${hops} wakes separate this message from a person's; the limit is ${limit}`)
  }
  if (run !== null) {
    const { agent_run_status: status } = mail
    if (status === 'running') return yes(`agent run ${run} continues`)
    return no(`agent run ${run} is ${status}, so its decision wakes no one`)
  }
  const types = wakingTypes(agent)
  if (types.includes(type)) return yes(`${type} wakes ${agent_id}`)
  if (wake.types === undefined && isPerson(from)) return yes(`${from} is a person`)
  return no(`${type} from ${from} does not wake ${agent_id}; ${waysToWake(agent)}`)
}

/** Whether too many wakes separate this message from the last one that a person wrote. */
export function isTooFar({ wake }: Pick<SeenAgent, 'wake'>, hops: number): boolean {
  return hops >= (wake.hop_limit ?? HOP_LIMIT)
}

function waysToWake(agent: SeenAgent): string {
  const types = wakingTypes(agent)
  if (types.length === 0) return 'nothing does'
  const ofPeople = agent.wake.types === undefined ? ', and anything else from a person' : ''
  return `these do: ${types.join(', ')}${ofPeople}`
}

/**
 * Why this message won't start an agent that seems to be asleep and could be started. Null if it will, or if the agent
 * reads it on its own.
 */
export function explainNoWake(agent: SeenAgent, mail: WakingMail, now: Instant): string | null {
  const { status } = standingOf(agent, now)
  if (!isWakeable(agent) || (status !== 'dormant' && status !== 'idle')) return null
  const { wakes, why } = isWaking(agent, mail)
  return wakes ? null : why
}

/** Whether the agent can be started at all and isn't already working. */
function isAsleep(seen: SeenAgent, now: Instant): Ruling {
  const agent = byTheClock(seen, now)
  const { agent_id, waiting_until: waiting, leased_until: leased } = agent
  const { status, by, at } = standingOf(seen, now)
  if (status === 'off') return no(`${agent_id} is off`)
  if (!isWakeable(agent)) return no(`${agent_id} has no wake command`)
  if (waiting !== null && waiting > now) {
    return no(`${agent_id} is waiting for mail until ${waiting}`, waiting)
  }
  if (status === 'dormant') return yes(`${agent_id} is dormant`)
  if (status === 'idle' && at !== null) {
    const until = (by === 'seen' && seenUntil(agent)) || plusSeconds(at, EVIDENCE_SECONDS)
    const last = `idle, ${by === 'seen' ? 'last seen' : 'declared'} at ${at}`
    return no(
      `${agent_id} is ${last}; it is thought to be there until ${until}, unless it is declared dormant`,
      until,
    )
  }
  // A lease only shows who is responsible for a thread. An agent whose last sign of life was going dormant isn't
  // running, even if it holds a lease.
  if (wentToSleep(agent, lastSign(agent) ?? '')) return yes(`${agent_id} is dormant`)
  // No event reports the release of a lease or the end of an agent's calls, so look again soon.
  const soon = plusSeconds(now, LOOK_AGAIN_SECONDS)
  const ends = [leased, believedUntil(agent), soon].filter((at) => at !== null && at > now).sort()
  return no(`${agent_id} is running`, ends[0])
}

function believedUntil(agent: SeenAgent): Instant | null {
  const last = [lastSign(agent), agent.declared_at]
    .filter((at) => at !== null)
    .sort()
    .at(-1)
  return last === undefined ? null : plusSeconds(last, EVIDENCE_SECONDS)
}

/** The facts about an agent's wakes that determine the next one. */
export type WakeHistory = {
  /** The unfinished wake, or the latest one that isn't in the future. */
  last: Wake | null
  /** Mail up to this event was passed to a turn that ended well. */
  handed: number
  /** When the agent's timer last led to a wake, ignoring times in the future. */
  lastTimer: Instant | null
  /** The number of starts in the last hour, and the time of the first. */
  starts: number
  firstStart: Instant | null
  /** When the agent last took or read mail on its own. */
  tookAt: Instant | null
}

export type StartHistory = Pick<WakeHistory, 'last' | 'starts' | 'firstStart' | 'tookAt'>

/** The reason to wake an agent. */
export type Reason = { cause: WakeCause; newestEvent: number }

export type LocalTime = {
  now: Instant
  /** The UTC offset of the machine that starts the agent, in minutes east of UTC. */
  offsetMinutes: number
}

/** Whether a start is allowed now, given a reason for it. */
export function mayStart(
  agent: SeenAgent,
  history: StartHistory,
  reason: Reason,
  { now, offsetMinutes }: LocalTime,
): Ruling {
  const { last } = history
  if (last !== null && last.ended_at === null) {
    return no(`wake ${last.wake_id} is ${last.state} since ${last.started_at}`, last.expires_at)
  }
  const asleep = isAsleep(agent, now)
  if (!asleep.wakes) return asleep
  const tookAt = agent.wake.runner === undefined ? history.tookAt : null
  const until = tookAt === null ? '' : plusSeconds(tookAt, AT_IT_SECONDS)
  if (tookAt !== null && until > now && !wentToSleep(agent, tookAt)) {
    return no(
      `${agent.agent_id} fetched mail on its own at ${tookAt} and may be working on it`,
      until,
    )
  }
  const quiet = quietUntil(agent.wake.quiet, now, offsetMinutes)
  if (quiet !== null) return no(`it has quiet hours until ${quiet}`, quiet)
  const budget = agent.wake.budget_per_hour ?? BUDGET_PER_HOUR
  if (history.starts >= budget) {
    const again = plusSeconds(history.firstStart ?? now, BUDGET_SECONDS)
    const remedy = agent.wake.runner === undefined ? '' : '; max_turns gives it more'
    return no(`its budget of ${budget} starts in an hour is used up until ${again}${remedy}`, again)
  }
  return afterFailure(agent, last, reason, now) ?? yes(asleep.why)
}

/** When the quiet hours end; null outside them. They can span midnight. */
function quietUntil(
  quiet: [number, number] | undefined,
  now: Instant,
  offsetMinutes: number,
): Instant | null {
  if (quiet === undefined || quiet[0] === quiet[1]) return null
  const [from, until] = quiet
  const local = new Date(epochMs(now) + offsetMinutes * 60_000)
  const hour = local.getUTCHours()
  const isQuiet = from < until ? hour >= from && hour < until : hour >= from || hour < until
  if (!isQuiet) return null
  local.setUTCHours(until <= hour ? until + 24 : until, 0, 0, 0)
  return toInstant(local.getTime() - offsetMinutes * 60_000)
}

/** How many more starts are allowed within the hour. */
export function budgetLeft(
  agent: Pick<SeenAgent, 'wake'>,
  { starts }: Pick<WakeHistory, 'starts'>,
): number {
  return Math.max(0, (agent.wake.budget_per_hour ?? BUDGET_PER_HOUR) - starts)
}

function yes(why: string): Ruling {
  return { wakes: true, why, again: null }
}

function no(why: string, again: Instant | null = null): Ruling {
  return { wakes: false, why, again }
}

/** The pause after the first failure, the second, and so on. */
const PAUSES = [10, 30, 120, 600, 3600] as const
/** The pauses for an agent that a runner starts: three attempts in all. */
const RUNNER_PAUSES = [1, 1] as const

type Woken = { wake: WakeSettings }

function pausesOf({ wake }: Woken): readonly number[] {
  return wake.runner === undefined ? PAUSES : RUNNER_PAUSES
}

function afterFailure(
  agent: Woken,
  last: Wake | null,
  reason: Reason,
  now: Instant,
): Ruling | null {
  if (last === null || last.ended_at === null || last.state === 'ended') return null
  const pause = pausesOf(agent)[last.attempt - 1]
  const failed = `its last start ${last.state === 'lost' ? 'was lost' : 'failed'} (${last.reason})`
  if (pause === undefined) {
    if (reason.cause === 'timer' || reason.newestEvent > last.upto_event) return null
    const why = `${failed}, for the ${ordinal(last.attempt)} time; only new mail leads to another`
    return { wakes: false, why, again: null }
  }
  const again = plusSeconds(last.ended_at, pause)
  if (again <= now) return null
  return { wakes: false, why: `${failed}; it is tried again at ${again}`, again }
}

function ordinal(count: number): string {
  return count === 3 ? '3rd' : `${count}th`
}

/** Whether the last allowed attempt has failed, so nothing is retried automatically. */
export function isGivenUp(agent: Woken, last: Wake | null): last is Wake {
  if (last === null || (last.state !== 'failed' && last.state !== 'lost')) return false
  return last.attempt > pausesOf(agent).length
}

/** Whether the last start was a timer start that failed and should be retried before the timer is next due. */
export function mustRetryTimer(agent: Woken, { last }: Pick<WakeHistory, 'last'>): boolean {
  if (last === null || last.cause !== 'timer') return false
  const isFailed = last.state === 'failed' || last.state === 'lost'
  return isFailed && last.attempt <= pausesOf(agent).length
}

/** The number of the next attempt; 1 after a success or after the last retry. */
export function nextAttempt(agent: Woken, { last }: Pick<WakeHistory, 'last'>): number {
  if (last === null || last.state === 'ended') return 1
  return last.attempt > pausesOf(agent).length ? 1 : last.attempt + 1
}
