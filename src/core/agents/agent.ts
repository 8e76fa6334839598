// An agent is a named participant that is not a person. We know two things about it: what it or others declared, and
// what can be observed (a lease it holds, a wait it is in, a recent call). Evidence wins.

import { operation, refuse } from '../error.ts'
import type { RowFrom } from '../shape.ts'
import { type Instant, plusSeconds } from '../time.ts'
import type { MailType } from '../vocabulary.ts'
import type { AGENT_FIELDS } from './agent-record.ts'

export const AGENT_STATUSES = ['running', 'idle', 'dormant', 'off'] as const
export type AgentStatus = (typeof AGENT_STATUSES)[number]

export const ORCHESTRATOR = 'orchestrator'
export const USER = 'user'
/** Names that mean something other than an agent. */
const RESERVED = [ORCHESTRATOR, 'broadcast', USER, 'system'] as const

export type WakeSettings = {
  /** The program to start and its arguments. It isn't run through a shell. */
  command?: string[]
  cwd?: string
  /** The types of mail that wake the agent. Defaults to those of its role. */
  types?: MailType[]
  /** A timer wakes the agent even without mail, at this interval or on this cron schedule. */
  every_seconds?: number
  cron?: string
  /** When the timer was set. Due times before then don't count as missed. */
  timer_since?: Instant
  /** The hours during which the agent isn't woken, in local time: [from, until]. */
  quiet?: [number, number]
  budget_per_hour?: number
  hop_limit?: number
  timeout_seconds?: number
  /** How long a call counts as evidence that the agent is there. */
  after_seconds?: number
  /** Only the runner of this instance starts the agent. */
  runner?: string
  /** The most turns in one run of that instance. */
  max_turns?: number
}

export type Agent = RowFrom<typeof AGENT_FIELDS>

export type SeenAgent = Agent & {
  seen_at: Instant | null
  waiting_until: Instant | null
  leased_until: Instant | null
  /** When its latest unfinished turn began, according to its program's hooks. */
  turn_at: Instant | null
}

/** What we can observe about an agent that has never called. */
export const UNSEEN = {
  seen_at: null,
  waiting_until: null,
  leased_until: null,
  turn_at: null,
} as const satisfies Omit<SeenAgent, keyof Agent>

/** A status of "running" is no longer believed after this long without a sign of life. */
export const EVIDENCE_SECONDS = 900

/**
 * A call by an agent that can be woken counts as presence only for this long. If the agent turns out to be gone, its
 * mail doesn't get stuck, because the agent is started again.
 */
const CALL_SECONDS = 60

/** An agent seen within this time isn't recorded as seen again. Must be shorter than CALL_SECONDS. */
export const SIGHT_SECONDS = 20

export function isOutOfSight(
  agent: Pick<SeenAgent, 'seen_at' | 'declared_at'> | null,
  now: Instant,
): boolean {
  const seenAt = agent?.seen_at ?? null
  if (seenAt === null || plusSeconds(seenAt, SIGHT_SECONDS) <= now || seenAt > now) return true
  // A call must be later than the last declaration to count.
  return seenAt <= (agent?.declared_at ?? '')
}

/** An agent's status, the strongest evidence for it, and when that evidence expires or was recorded. */
export type Standing = {
  status: AgentStatus
  by: 'lease' | 'waiting' | 'turn' | 'declared' | 'seen' | 'nothing'
  at: Instant | null
}

export function standingOf(agent: SeenAgent, now: Instant): Standing {
  const { declared_status, leased_until, waiting_until } = agent
  const known = byTheClock(agent, now)
  const { declared_at, seen_at } = known
  const declared = { by: 'declared', at: agent.declared_at } as const
  if (declared_status === 'off') return { status: 'off', ...declared }
  if ((leased_until ?? '') > now) return { status: 'running', by: 'lease', at: leased_until }
  if ((waiting_until ?? '') > now) return { status: 'running', by: 'waiting', at: waiting_until }
  const isFresh = (at: Instant | null) => at !== null && plusSeconds(at, EVIDENCE_SECONDS) > now
  // A killed program does not end its turn, so a turn counts only while there are recent signs of life.
  const last = lastSign(known)
  if (agent.turn_at !== null && isFresh(last) && (last ?? '') > (declared_at ?? '')) {
    return { status: 'running', by: 'turn', at: last }
  }
  const seen = { by: 'seen', at: seen_at } as const
  // The agent has called since its last declaration, so it's there. If it declared itself running, it still is.
  if ((seenUntil(known) ?? '') > now && (seen_at ?? '') > (declared_at ?? '')) {
    return { status: declared_status === 'running' ? 'running' : 'idle', ...seen }
  }
  if (declared_status === 'dormant') return { status: 'dormant', ...declared }
  if (declared_status !== null && isFresh(declared_at)) {
    return { status: declared_status, ...declared }
  }
  return { status: 'dormant', ...(seen_at === null ? { by: 'nothing', at: null } : seen) }
}

/**
 * The agent without timestamps from the future. The clock was ahead when they were recorded, so their real age is
 * unknown. Without them, they rank as older than any other time and don't count as evidence.
 */
export function byTheClock<Stamped extends Stamps>(agent: Stamped, now: Instant): Stamped {
  const reached = (at: Instant | null) => (at !== null && at > now ? null : at)
  const { declared_at, seen_at, turn_at } = agent
  return {
    ...agent,
    declared_at: reached(declared_at),
    seen_at: reached(seen_at),
    turn_at: reached(turn_at),
  }
}

type Stamps = Pick<SeenAgent, 'declared_at' | 'seen_at' | 'turn_at'>

/** The agent's latest call or the start of its turn, whichever is later. */
export function lastSign({ seen_at, turn_at }: Pick<SeenAgent, 'seen_at' | 'turn_at'>) {
  return (turn_at ?? '') > (seen_at ?? '') ? turn_at : seen_at
}

/** The time until which the agent's last call counts as evidence that it's there. */
export function seenUntil(agent: Pick<SeenAgent, 'seen_at' | 'wake'>): Instant | null {
  const { seen_at, wake } = agent
  const seconds = isWakeable(agent) ? (wake.after_seconds ?? CALL_SECONDS) : EVIDENCE_SECONDS
  return seen_at && plusSeconds(seen_at, seconds)
}

export function statusOf(agent: SeenAgent, now: Instant): AgentStatus {
  return standingOf(agent, now).status
}

export function isWakeable({ wake }: Pick<Agent, 'wake'>): boolean {
  return (wake.command?.length ?? 0) > 0
}

export function isAvailable(agent: SeenAgent, now: Instant): boolean {
  const status = statusOf(agent, now)
  return status === 'running' || status === 'idle' || (status === 'dormant' && isWakeable(agent))
}

/** The sender of a message to people, and whether its name is only claimed (src/core/principal.ts). */
export type MessageSender = { from: string; agent: Agent | null; isClaimed: boolean }

/** Only people, the orchestrator, and agents with a person's permission may write to people. */
export function mustReachPeople({ from, agent, isClaimed }: MessageSender, to: string): void {
  const hasRight = agent?.role === ORCHESTRATOR || agent?.may_write_to_user === true
  if (isPerson(from) || (hasRight && !isClaimed)) return
  throw hasRight
    ? refuse.forbidden`${from} may write to ${to}, but a name alone proves nothing here; use a token from ${operation('token issue', { name: from })}`
    : refuse.forbidden`${from} may not write to ${to}; send it to orchestrator, which answers or passes it on, or show it with ${operation('push')}`
}

/** The orchestrator is a role. An unregistered agent with that name has the role too. */
export function isOrchestrator(name: string, known: Pick<Agent, 'role'> | null): boolean {
  return (known?.role ?? name) === ORCHESTRATOR
}

export function isPerson(id: string): boolean {
  return id === USER || id.startsWith(`${USER}:`)
}

/** Accepts `ann`, `user:ann` and plain `user`. Returns undefined for anything else. */
export function personId(text: string): string | undefined {
  const name = text.startsWith(`${USER}:`) ? text.slice(USER.length + 1) : text
  if (!/^[A-Za-z][A-Za-z0-9_-]{0,63}$/.test(name)) return undefined
  if (name === USER) return USER
  return isReserved(name) ? undefined : `${USER}:${name}`
}

/** Names are reserved regardless of case and instance, because people wouldn't notice the difference. */
export function isReserved(name: string): boolean {
  const [word = ''] = name.toLowerCase().split('@')
  return (RESERVED as readonly string[]).includes(word)
}

const NAME = /^(user:[A-Za-z][\w-]{0,63}|[A-Za-z][\w-]{0,63}(@[A-Za-z][\w-]{0,63})?)$/

/** Whether the string has the form of a name: an agent's, with or without an instance, or a person's. */
export function hasNameForm(text: string): boolean {
  return NAME.test(text)
}

export function isName(text: string): boolean {
  return NAME.test(text) && (text === USER || isFree(text))
}

/** Whether an agent may have this name. `orchestrator` is the only reserved name that an agent can have. */
export function isFree(name: string): boolean {
  return name === ORCHESTRATOR || !isReserved(name)
}
