// The wake broker starts agents when they have unread mail or a due timer, and it starts the effects of approvals
// (effects.ts). It only remembers where to look next, so any number of brokers can run on one store.
//
// (1) The broker only looks at agents for which something has changed. It makes a guess outside a transaction, then
//     begins the wake under the agent's lock (wake-life.ts).
// (2) A start waits until a burst of mail has settled, so that the burst leads to one wake, but it doesn't wait long.
// (3) Some of a broker's work depends only on time: a pause after a failure, quiet hours or a budget can end, a timer
//     can come due, and a wake can lose its supervisor. Each is a chore with a due time, by the store's clock.

import { Refusal } from '../core/error.ts'
import type { House } from '../core/house.ts'
import { epochMs, type Instant } from '../core/time.ts'
import type { LaunchKit } from '../core/waking/launch.ts'
import { WAKES, type Wake } from '../core/waking/wake-record.ts'
import { isGivenUp } from '../core/waking/waking.ts'
import { makePresence } from './broker-presence.ts'
import { type EffectLine, makeEffects } from './effects.ts'
import { type Chore, waitFor } from './wait.ts'
import {
  beginWake,
  endLapsed,
  endWake,
  mayBrokerStart,
  type NewWake,
  NOT_ALLOWED,
  type Owner,
  situationOf,
} from './wake-life.ts'

type BrokerHouse = Pick<House, 'store' | 'bell' | 'makeId' | 'offsetMinutes' | 'allowedCommands'>

export type BrokerContext = BrokerHouse &
  LaunchKit & {
    signal: AbortSignal
    /** Set for the broker of a runner, which starts only the agents of its instance. */
    owner?: BrokerOwner | undefined
    /** Reports everything the broker does, one line each. */
    tell: (line: BrokerLine) => void
  }

export type BrokerOwner = Owner & {
  mayTakeTurn: (agentId: string) => boolean
  /** Called when the last attempt failed: the agent's mail won't be retried automatically. */
  giveUp: (agentId: string, wake: Wake) => Promise<void>
}

export type BrokerLine =
  | ({ did: 'started' } & Omit<NewWake, 'token'>)
  | ({ did: 'lost' } & Pick<Wake, 'wake_id' | 'agent_id'>)
  | { did: 'failed'; wake_id: string; agent_id: string; why: string }
  | { did: 'held'; agent_id: string; why: string }
  | EffectLine

/** The shortest time between two looks, however often the bell rings. It gets longer if looks take long. */
const PACE_MS = 50
const SLOWEST_PACE_MS = 1000
/** Looks may take up at most this share of the broker's time. */
const SHARE = 1 / 5
const OPEN_LIMIT = 1000
/** How soon to check a held command again. The log doesn't show when a command is allowed. */
const HELD_MS = 2000
/** Earlier than every time in the store, so anything planned for it is due immediately. */
const NOW = 0

/** How long to wait for more mail after a single message. */
const SETTLE_MS = 100
/** The longest silence required before a burst counts as over. */
const LONGEST_SILENCE_MS = 2000
/** A stream of mail that never pauses is cut into batches of this length. */
const LONGEST_SETTLE_MS = 60_000

export async function runBroker(context: BrokerContext): Promise<void> {
  const { store, bell, signal } = context
  const plan = makePlan()
  // A runner's broker only takes care of the runner's agents; other brokers start the effects of approvals.
  const effects = context.owner === undefined ? makeEffects(context) : null
  const memory: Memory = { started: new Map(), held: new Set() }
  let cursor: number | null = null
  let lookedAt = Number.NEGATIVE_INFINITY
  let isPaced = false
  let paceMs = PACE_MS
  const look = async (): Promise<null> => {
    isPaced = performance.now() - lookedAt < paceMs
    if (isPaced) return null
    lookedAt = performance.now()
    // Read the end of the log first: later events are left for the next look.
    const end = await store.lastEventId()
    if (cursor === null || end > cursor) {
      const concerned = await agentsToConsider(context, cursor)
      cursor = end
      // Only plan the agents here, so that none is forgotten if the store becomes unreachable before they're
      // considered.
      for (const agentId of concerned) plan.at(agentId, NOW)
    }
    const now = await endLost(context)
    await effects?.look(now)
    for (const agentId of plan.due(epochMs(now))) await consider(context, plan, agentId, memory)
    const tookMs = performance.now() - lookedAt
    paceMs = Math.min(Math.max(PACE_MS, tookMs / SHARE), SLOWEST_PACE_MS)
    return null
  }
  // This chore only ends the sleep; the next look does the work.
  const due: Chore = {
    async dueMs() {
      if (isPaced) return Math.max(0, lookedAt + paceMs - performance.now())
      const [open, now] = await Promise.all([store.openWakes(1), store.now()])
      const lapses = open.map(({ expires_at }) => Math.max(PACE_MS, msUntil(expires_at, now)))
      const plans = [plan.nextMs(epochMs(now)), effects?.nextMs()].flatMap((ms) => ms ?? [])
      const next = Math.min(Number.POSITIVE_INFINITY, ...plans, ...lapses)
      return next === Number.POSITIVE_INFINITY ? null : next
    },
    run: async () => {},
  }
  const there = context.owner === undefined ? makePresence(store) : null
  const chores = there === null ? [due] : [due, there]
  while (!signal.aborted) {
    try {
      await waitFor({ bell, look, lookout: store.lookout(), chores, timeoutMs: 0, signal })
    } catch (error) {
      // A wait gives up if the store is unreachable for too long. The broker simply waits again.
      if (!(error instanceof Refusal && error.code === 'busy')) throw error
    }
  }
  await there?.end()
}

/** Returns all agents that can be woken on the first look; later, only those that new events concern. */
async function agentsToConsider(
  { store, owner }: BrokerContext,
  cursor: number | null,
): Promise<string[]> {
  if (cursor !== null) return store.agentsConcerned(cursor)
  const agents = (await store.agents({})).filter((agent) => mayBrokerStart(agent, owner))
  return agents.filter(({ wake }) => wake.command !== undefined).map(({ agent_id }) => agent_id)
}

type Memory = {
  /** The wake this broker began for each agent, until the broker has seen it end. */
  started: Map<string, string>
  /** Agents whose command is held and has already been reported as held. */
  held: Set<string>
}

async function consider(
  context: BrokerContext,
  plan: Plan,
  agentId: string,
  { started, held }: Memory,
): Promise<void> {
  const { store, makeId, offsetMinutes, allowedCommands, launcher, owner, tell } = context
  const situation = await situationOf(store, agentId, offsetMinutes, owner)
  if (situation === null || !mayBrokerStart(situation.agent, owner)) return plan.drop(agentId)
  const { agent, now, ruling, cause, mail, history } = situation
  await reportFailure(context, agentId, history.last, started)
  if (isGivenUp(agent, history.last)) await owner?.giveUp(agentId, history.last)
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
  if (owner?.mayTakeTurn(agentId) === false) return plan.drop(agentId)
  if (cause === 'mail' && !plan.hasSettled(agentId, mail.newestEvent)) return
  const begun = await beginWake(store, agentId, { makeId, offsetMinutes, owner })
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

/** If the wake's supervisor recorded a failure in the log, reports it as a broker line. */
async function reportFailure(
  { store, tell }: BrokerContext,
  agentId: string,
  last: Wake | null,
  started: Memory['started'],
): Promise<void> {
  const wake_id = started.get(agentId)
  if (wake_id === undefined) return
  // Another broker may have begun the next wake already.
  const wake = last?.wake_id === wake_id ? last : await store.rowOf(WAKES, wake_id)
  if (wake !== null && wake.ended_at === null) return
  started.delete(agentId)
  if (wake?.state === 'failed')
    tell({ did: 'failed', wake_id, agent_id: agentId, why: wake.reason })
}

/** Ends the wakes whose supervisors are gone. Their agents get another try after a pause. */
async function endLost({ store, tell }: BrokerContext): Promise<Instant> {
  const [open, now] = await Promise.all([store.openWakes(OPEN_LIMIT), store.now()])
  for (const wake of open) {
    if (wake.expires_at > now) break
    if (await endLapsed(store, wake)) {
      tell({ did: 'lost', wake_id: wake.wake_id, agent_id: wake.agent_id })
    }
  }
  return now
}

function msUntil(at: Instant, now: Instant): number {
  return epochMs(at) - epochMs(now)
}

type Plan = ReturnType<typeof makePlan>

/**
 * When to consider each agent again. Due times use the store's clock, which may jump; settling uses this process's own
 * clock.
 */
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
      const settled = [...settling].filter(([, seen]) => settlesAt(seen) <= now)
      return [...new Set([...late, ...settled].map(([agentId]) => agentId))]
    },
    nextMs(storeMs: number): number | null {
      const now = performance.now()
      const late = [...again.values()].map((at) => Math.max(PACE_MS, at - storeMs))
      const settled = [...settling.values()].map((seen) => Math.max(0, settlesAt(seen) - now))
      const next = Math.min(...late, ...settled)
      return next === Number.POSITIVE_INFINITY ? null : next
    },
    /** Whether the burst of mail is over. If not, the agent is considered again later. */
    hasSettled(agentId: string, newest: number): boolean {
      const now = performance.now()
      const before = settling.get(agentId)
      const isNew = before === undefined || before.newest !== newest
      const seen = isNew ? { since: before?.since ?? now, newest, at: now } : before
      settling.set(agentId, seen)
      again.delete(agentId)
      return settlesAt(seen) <= now
    },
  }
}

/**
 * When a burst of mail counts as over, in milliseconds, based on its first and latest messages. The longer the burst
 * has lasted, the longer the silence that ends it: a writer who pauses in the middle isn't finished.
 */
export function settlesAt({ since, at }: { since: number; at: number }): number {
  const silence = Math.min(Math.max(SETTLE_MS, (at - since) / 4), LONGEST_SILENCE_MS)
  return Math.min(at + silence, since + LONGEST_SETTLE_MS)
}
