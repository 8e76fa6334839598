// An agent is a named participant that is not a person. What is known of it: what it or others said
// (declared), and what can be seen (a lease it holds, a wait it is in, a recent call). Evidence wins.

import { refuse } from '../error.ts'
import { operation, sentence } from '../sentence.ts'
import { type Instant, plusSeconds } from '../time.ts'
import type { MailType } from '../vocabulary.ts'

export const AGENT_STATUSES = ['running', 'idle', 'dormant', 'off'] as const
export type AgentStatus = (typeof AGENT_STATUSES)[number]

export const ORCHESTRATOR = 'orchestrator'
export const USER = 'user'
/** Names that mean something else than an agent. */
const RESERVED = [ORCHESTRATOR, 'broadcast', USER, 'system'] as const

/** How an agent is woken, and how often at most. */
export type WakeSettings = {
  /** The program to start and its words; nothing is given to a shell. */
  command?: string[]
  cwd?: string
  /** The mail that wakes it; absent: by its role. */
  types?: MailType[]
  /** Also without mail: every so many seconds, or by a cron line. */
  every_seconds?: number
  cron?: string
  /** When that was said: earlier times were not missed. */
  timer_since?: Instant
  /** Hours of the day, local, in which it is left alone: from, until. */
  quiet?: [number, number]
  budget_per_hour?: number
  hop_limit?: number
  timeout_seconds?: number
}

export type Agent = {
  agent_id: string
  role: string
  instance: string
  parent_agent_id: string | null
  paired_person: string | null
  source: string
  declared_status: AgentStatus | null
  declared_at: Instant | null
  may_write_to_user: boolean
  wake: WakeSettings
  registered_at: Instant
  updated_at: Instant
}

/** An agent with what can be seen of it. */
export type SeenAgent = Agent & {
  seen_at: Instant | null
  waiting_until: Instant | null
  leased_until: Instant | null
}

/** Without a sign for so long, "running" is no longer believed. */
export const EVIDENCE_SECONDS = 900

/** Whoever was seen so lately need not be noted again. */
export const SIGHT_SECONDS = 60

export function isOutOfSight(
  agent: Pick<SeenAgent, 'seen_at' | 'declared_at'> | null,
  now: Instant,
): boolean {
  const seenAt = agent?.seen_at ?? null
  if (seenAt === null || plusSeconds(seenAt, SIGHT_SECONDS) <= now) return true
  // A call after the last word about it must show.
  return seenAt <= (agent?.declared_at ?? '')
}

/** What an agent is, and the strongest evidence for it: until when it holds, or since when it is so. */
export type Standing = {
  status: AgentStatus
  by: 'lease' | 'waiting' | 'declared' | 'seen' | 'nothing'
  at: Instant | null
}

export function standingOf(agent: SeenAgent, now: Instant): Standing {
  const { declared_status, declared_at, seen_at, leased_until, waiting_until } = agent
  const declared = { by: 'declared', at: declared_at } as const
  if (declared_status === 'off') return { status: 'off', ...declared }
  if ((leased_until ?? '') > now) return { status: 'running', by: 'lease', at: leased_until }
  if ((waiting_until ?? '') > now) return { status: 'running', by: 'waiting', at: waiting_until }
  const isFresh = (at: Instant | null) => at !== null && plusSeconds(at, EVIDENCE_SECONDS) > now
  const seen = { by: 'seen', at: seen_at } as const
  // Whoever called after the last word about it was there. What it said of running still holds.
  if (isFresh(seen_at) && (seen_at ?? '') > (declared_at ?? '')) {
    return { status: declared_status === 'running' ? 'running' : 'idle', ...seen }
  }
  if (declared_status === 'dormant') return { status: 'dormant', ...declared }
  if (declared_status !== null && isFresh(declared_at)) {
    return { status: declared_status, ...declared }
  }
  return { status: 'dormant', ...(seen_at === null ? { by: 'nothing', at: null } : seen) }
}

export function statusOf(agent: SeenAgent, now: Instant): AgentStatus {
  return standingOf(agent, now).status
}

export function isWakeable({ wake }: Pick<Agent, 'wake'>): boolean {
  return (wake.command?.length ?? 0) > 0
}

/** Running, idle, or asleep with someone who can wake it. */
export function isAvailable(agent: SeenAgent, now: Instant): boolean {
  const status = statusOf(agent, now)
  return status === 'running' || status === 'idle' || (status === 'dormant' && isWakeable(agent))
}

/** Writing to a person is for the orchestrator, for people, and for whom it was granted. */
export function mustReachPeople(sender: Agent | null, from: string, to: string): void {
  if (isPerson(from) || sender?.role === ORCHESTRATOR || sender?.may_write_to_user) return
  throw refuse(
    'forbidden',
    sentence`${from} may not write to ${to}; send it to orchestrator, which answers or passes it on, or show it with ${operation('push')}`,
  )
}

/** It is a role. Who is called so and not known yet has it from the start. */
export function isOrchestrator(name: string, known: Pick<Agent, 'role'> | null): boolean {
  return (known?.role ?? name) === ORCHESTRATOR
}

export function isPerson(id: string): boolean {
  return id === USER || id.startsWith(`${USER}:`)
}

/** `ann`, `user:ann` and `user` name people; everything else nobody. */
export function personId(text: string): string | undefined {
  const name = text.startsWith(`${USER}:`) ? text.slice(USER.length + 1) : text
  if (!/^[A-Za-z][A-Za-z0-9_-]{0,63}$/.test(name)) return undefined
  if (name === USER) return USER
  return isReserved(name) ? undefined : `${USER}:${name}`
}

/** However it is written, and of whatever instance: people would not see the difference. */
export function isReserved(name: string): boolean {
  const [word = ''] = name.toLowerCase().split('@')
  return (RESERVED as readonly string[]).includes(word)
}

/** Whether an agent may be called so: of the names that mean something else, one is an agent's. */
export function isFree(name: string): boolean {
  return name === ORCHESTRATOR || !isReserved(name)
}
