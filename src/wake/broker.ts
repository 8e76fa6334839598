// The wake broker: turns unread mail, and timers, into running agents. It keeps nothing that matters:
// what it remembers is where to look next, and any number of brokers may run on one store.
//
// (1) Look at whom something has changed for; guess outside a transaction; begin under the lock.
// (2) A start waits until the agent's mail has stopped coming for a moment, but not for long: a burst
//     is one batch.
// (3) What time alone changes (a pause after a failure, quiet hours, a budget, a timer, a wake whose
//     supervisor is gone) is a chore with a due time, by the store's clock.

import type { Bell } from '../core/bell.ts'
import { Refusal } from '../core/error.ts'
import type { MakeId } from '../core/id.ts'
import type { Store } from '../core/store.ts'
import { epochMs, type Instant } from '../core/time.ts'
import type { AllowedCommands, Launcher, Surroundings } from '../core/waking/launch.ts'
import type { Wake } from '../core/waking/wake.ts'
import { presence } from './presence.ts'
import { restsUntil } from './settle.ts'
import { situationOf } from './situation.ts'
import { type Begun, beginWake, endWake, NOT_ALLOWED } from './start.ts'
import { type Chore, waitFor } from './wait.ts'

export type BrokerContext = {
  store: Store
  bell: Bell
  allowedCommands: AllowedCommands
  launcher: Launcher
  /** What the programs are given. */
  around: Surroundings
  makeId: MakeId
  offsetMinutes: (epochMs: number) => number
  signal: AbortSignal
  /** One line for each thing done. */
  tell: (line: BrokerLine) => void
}

export type BrokerLine =
  | ({ did: 'started' } & Omit<Begun, 'token'>)
  | ({ did: 'lost' } & Pick<Wake, 'wake_id' | 'agent_id'>)
  | { did: 'failed'; wake_id: string; agent_id: string; why: string }
  | { did: 'held'; agent_id: string; why: string }

/** However much rings, agents are looked at no more often; and less often when a look takes long. */
const PACE_MS = 50
const SLOWEST_PACE_MS = 1000
/** So much of the time at most goes into looks. */
const SHARE = 1 / 5
const OPEN_LIMIT = 1000
/** How soon a held command is looked at again: the log does not say when somebody allows it. */
const HELD_MS = 2000
/** Before every moment of the store. */
const NOW = 0

/** Runs until the signal. */
export async function runBroker(context: BrokerContext): Promise<void> {
  const { store, bell, signal } = context
  const plan = makePlan()
  const memory: Memory = { started: new Map(), held: new Set() }
  let cursor: number | null = null
  let lookedAt = Number.NEGATIVE_INFINITY
  let isPaced = false
  let paceMs = PACE_MS
  const look = async (): Promise<null> => {
    isPaced = performance.now() - lookedAt < paceMs
    if (isPaced) return null
    lookedAt = performance.now()
    // The end first: what comes after it is looked at the next time.
    const end = await store.lastEventId()
    if (cursor === null || end > cursor) {
      const concerned = await toConsider(store, cursor)
      cursor = end
      // Planned, not done at once: should the store be away in between, nobody is forgotten.
      for (const agentId of concerned) plan.at(agentId, NOW)
    }
    const now = await endLost(context)
    for (const agentId of plan.due(epochMs(now))) await consider(context, plan, agentId, memory)
    const tookMs = performance.now() - lookedAt
    paceMs = Math.min(Math.max(PACE_MS, tookMs / SHARE), SLOWEST_PACE_MS)
    return null
  }
  // The look that follows does what is due.
  const due: Chore = {
    async dueMs() {
      if (isPaced) return Math.max(0, lookedAt + paceMs - performance.now())
      const [open, now] = await Promise.all([store.openWakes(1), store.now()])
      const lapses = open.map(({ expires_at }) => Math.max(PACE_MS, msUntil(expires_at, now)))
      const next = Math.min(plan.nextMs(epochMs(now)) ?? Number.POSITIVE_INFINITY, ...lapses)
      return next === Number.POSITIVE_INFINITY ? null : next
    },
    run: async () => {},
  }
  const there = presence(store)
  const chores = [due, there]
  while (!signal.aborted) {
    try {
      await waitFor({ bell, look, lookout: store.lookout(), chores, timeoutMs: 0, signal })
    } catch (error) {
      // A wait ends when its store is away for long; a broker has nothing better to do than wait on.
      if (!(error instanceof Refusal && error.code === 'busy')) throw error
    }
  }
  await there.end()
}

/** At first everybody who can be woken; then those for whom something happened. */
async function toConsider(store: Store, cursor: number | null): Promise<string[]> {
  if (cursor !== null) return store.agentsConcerned(cursor)
  const agents = await store.agents({})
  return agents.filter(({ wake }) => wake.command !== undefined).map(({ agent_id }) => agent_id)
}

type Memory = {
  /** The wake of each agent that this broker began, until it has heard how that ended. */
  started: Map<string, string>
  /** Agents whose command is held, of which this broker has already told. */
  held: Set<string>
}

async function consider(
  context: BrokerContext,
  plan: Plan,
  agentId: string,
  { started, held }: Memory,
): Promise<void> {
  const { store, makeId, offsetMinutes, allowedCommands, launcher, tell } = context
  const situation = await situationOf(store, agentId, offsetMinutes)
  if (situation === null) return plan.drop(agentId)
  const { agent, now, ruling, cause, mail, history } = situation
  await hearHowItEnded(context, agentId, history.last, started)
  const isAllowed = await allowedCommands.includes(agentId, agent.wake)
  if (isAllowed) held.delete(agentId)
  else if (!held.has(agentId)) {
    held.add(agentId)
    tell({ did: 'held', agent_id: agentId, why: NOT_ALLOWED })
  }
  if (cause === null || !ruling.wakes) {
    if (ruling.again === null) return plan.drop(agentId)
    plan.drop(agentId)
    plan.at(agentId, epochMs(ruling.again))
    return
  }
  if (!isAllowed) {
    plan.drop(agentId)
    plan.at(agentId, epochMs(now) + HELD_MS)
    return
  }
  if (cause === 'mail' && !plan.hasSettled(agentId, mail.newestEvent)) return
  const begun = await beginWake(store, agentId, { makeId, offsetMinutes })
  plan.drop(agentId)
  if (begun === null) return
  const { token: _, ...line } = begun
  tell({ did: 'started', ...line })
  try {
    await launcher.supervise(begun, context.around)
    started.set(agentId, begun.wake_id)
  } catch (error) {
    const why = `its supervisor cannot be started: ${(error as Error).message}`
    tell({ did: 'failed', wake_id: begun.wake_id, agent_id: agentId, why })
    const end = { state: 'failed', exit_code: null, reason: why, stderr: '' } as const
    await endWake(store, begun, ({ state }) => state === 'starting', end)
  }
}

/** Whoever supervises a wake says in the log how it ended; here it is said to whoever reads our lines. */
async function hearHowItEnded(
  { store, tell }: BrokerContext,
  agentId: string,
  last: Wake | null,
  started: Memory['started'],
): Promise<void> {
  const wake_id = started.get(agentId)
  if (wake_id === undefined) return
  // Another broker may have begun the next one already.
  const wake = last?.wake_id === wake_id ? last : await store.wake(wake_id)
  if (wake !== null && wake.ended_at === null) return
  started.delete(agentId)
  if (wake?.state === 'failed')
    tell({ did: 'failed', wake_id, agent_id: agentId, why: wake.reason })
}

/** Wakes nobody watches over any more are ended; what was unread is looked at again after a pause. */
async function endLost({ store, tell }: BrokerContext): Promise<Instant> {
  const [open, now] = await Promise.all([store.openWakes(OPEN_LIMIT), store.now()])
  for (const wake of open) {
    if (wake.expires_at > now) break
    const isLost = (found: Wake, at: string) => found.expires_at <= at
    const reason =
      wake.state === 'starting' ? 'nothing was started for it' : 'nobody watches over it any more'
    const end = { state: 'lost', exit_code: null, reason, stderr: '' } as const
    if (await endWake(store, wake, isLost, end)) {
      tell({ did: 'lost', wake_id: wake.wake_id, agent_id: wake.agent_id })
    }
  }
  return now
}

function msUntil(at: Instant, now: Instant): number {
  return epochMs(at) - epochMs(now)
}

type Plan = ReturnType<typeof makePlan>

/** Whom to look at again, and when: by the store's clock, which may jump; a moment's rest by our own. */
function makePlan() {
  const again = new Map<string, number>()
  const settling = new Map<string, { since: number; newest: number; at: number }>()
  return {
    at: (agentId: string, storeMs: number) => void again.set(agentId, storeMs),
    drop(agentId: string) {
      again.delete(agentId)
      settling.delete(agentId)
    },
    due(storeMs: number): string[] {
      const now = performance.now()
      const late = [...again].filter(([, at]) => at <= storeMs)
      const rested = [...settling].filter(([, seen]) => restsUntil(seen) <= now)
      return [...new Set([...late, ...rested].map(([agentId]) => agentId))]
    },
    nextMs(storeMs: number): number | null {
      const now = performance.now()
      const late = [...again.values()].map((at) => Math.max(PACE_MS, at - storeMs))
      const rested = [...settling.values()].map((seen) => Math.max(0, restsUntil(seen) - now))
      const next = Math.min(...late, ...rested)
      return next === Number.POSITIVE_INFINITY ? null : next
    },
    /** Whether nothing newer has come for a moment; if not, it is looked at again. */
    hasSettled(agentId: string, newest: number): boolean {
      const now = performance.now()
      const before = settling.get(agentId)
      const isNew = before === undefined || before.newest !== newest
      const seen = isNew ? { since: before?.since ?? now, newest, at: now } : before
      settling.set(agentId, seen)
      again.delete(agentId)
      return restsUntil(seen) <= now
    },
  }
}
