// The loop of a runner: setup, the kickoff, and then the agents, until there is nothing left to do. The broker starts
// the agents; runner-watch.ts follows what happens and decides whether the instance is over.

import { Refusal } from '../core/error.ts'
import type { Store } from '../core/store.ts'
import type { Wake } from '../core/waking/wake-record.ts'
import { nameIn } from '../core/workflows/channel.ts'
import {
  type HeldInstance,
  type InstanceEnd,
  type InstanceMode,
  isToStop,
} from '../core/workflows/instance.ts'
import { type BrokerLine, type BrokerOwner, runBroker } from '../wake/broker.ts'
import { waitFor } from '../wake/wait.ts'
import { keepInstance } from './instance-life.ts'
import {
  agentIdOf,
  kickoffOf,
  TURNS_IN_ALL,
  turnLimitOf,
  type WorkflowPlan,
  warningsOf,
} from './plan.ts'
import type { Runner, RunnerContext, RunnerLife } from './runner.ts'
import { agentFolder } from './runner-folder.ts'
import { followOutput, makeWatch, reasonOf } from './runner-watch.ts'
import { setUp } from './setup.ts'

export type RunnerStanding = {
  instance: HeldInstance | null
  cursor: number
  /** Whether an agent has been called so far. */
  hasBegun: boolean
}

export type RunnerEnd = { ended: InstanceEnd; why: string }

const LOST: RunnerEnd = { ended: 'lost', why: 'another runner has taken over the instance' }

export async function runLoop(context: RunnerContext, runner: Runner): Promise<RunnerEnd> {
  const { store, watcher } = context
  const { held, life } = runner
  const standing: RunnerStanding = {
    cursor: await store.lastEventId(),
    instance: await store.instance(held.instance),
    hasBegun: false,
  }
  const early = await callAgents(context, runner, standing)
  if (early !== null) return early
  watcher.begun()
  // Rings the bell for commands that wait until the agents are called.
  await keepInstance(store, held)
  const owner = ownerOf(context, runner, standing)
  const broker = startBroker(context, runner, owner)
  const output = watcher.wantsOutput ? followOutput(runner, watcher.tell) : undefined
  const watch = makeWatch(context, runner, { standing, owner, output })
  const ended = await waitUntilOver(context, life, { watch, broker })
  life.over.abort()
  await broker.isOver
  output?.end()
  broker.mustHaveWorked()
  if (ended !== null) return { ended, why: watch.whyOf(ended) }
  return life.isLost() ? LOST : { ended: 'stopped', why: '' }
}

/**
 * Runs setup and sends the kickoff, unless a resumed start already did. Returns an end if the run is over before any
 * agent was called, otherwise null.
 */
async function callAgents(
  context: RunnerContext,
  { plan, timeoutSeconds, resume, held, life, beganMs }: Runner,
  standing: RunnerStanding,
): Promise<RunnerEnd | null> {
  const { watcher, mail } = context
  standing.hasBegun = resume && (await hasBegunBefore(context.store, held.instance))
  if (standing.hasBegun) return null
  for (const { what, remedy } of warningsOf(plan)) {
    watcher.tell({ event: 'warning', words: `${what}; ${remedy}` })
  }
  const signal = AbortSignal.any([context.signal, life.over.signal])
  const spentSeconds = (performance.now() - beganMs) / 1000
  const setup = await setUp(context, plan, { signal, timeoutSeconds, spentSeconds })
  if ('why' in setup) return life.isLost() ? LOST : setup
  const kickoff = kickoffOf(plan, setup.values)
  if (kickoff === undefined || standing.instance === null) return null
  const to = await mail.kickOff(standing.instance, kickoff)
  standing.hasBegun = to.length > 0
  watcher.tell({ event: 'kickoff', to })
  return null
}

/** Whether a resumed start already had its kickoff, which is true if any entries follow the system's first one. */
async function hasBegunBefore(store: Store, name: string): Promise<boolean> {
  const instance = await store.instance(name)
  if (instance === null) return false
  if (instance.thread_id === '') return instance.generation > 1
  return (await store.entries({ thread: instance.thread_id, after: 1, limit: 1 })).length > 0
}

/** The runner as its broker sees it: which agents may start, and what happens to mail that no attempt could handle. */
function ownerOf(
  { watcher, mail }: RunnerContext,
  { folder, held, begun, book }: Runner,
  standing: RunnerStanding,
): BrokerOwner {
  return {
    instance: held.instance,
    since: begun.instance.started_at,
    holds: async (reads) => {
      const found = await reads.instance(held.instance)
      return found?.token === held.token && found.state === 'running'
    },
    mayTakeTurn: (agent) =>
      standing.instance !== null && !isToStop(standing.instance, agent) && book.mayTakeTurn(agent),
    async giveUp(agent: string, wake: Wake) {
      const why = reasonOf(agentFolder(folder, nameIn(agent, held.instance)), wake)
      if (!book.givesUp(agent, wake.wake_id, why)) return
      const messages = await mail.giveUp(agent, { ...wake, reason: why })
      watcher.tell({ event: 'gave_up', agent, why, messages })
    },
  }
}

/** Starts the broker. If it fails, the loop ends. */
function startBroker(context: RunnerContext, { life, book, auth }: Runner, owner: BrokerOwner) {
  let failure: unknown
  const isOver = runBroker({
    ...context,
    around: auth === 'tokens' ? { hasToken: true } : {},
    signal: life.over.signal,
    owner,
    tell: (line) => tellBrokerLine(line, book, context.watcher.tell),
  }).catch((error) => {
    failure = error
    life.over.abort()
  })
  return {
    isOver,
    hasFailed: () => failure !== undefined,
    mustHaveWorked() {
      if (failure !== undefined) throw failure
    },
  }
}

function tellBrokerLine(line: BrokerLine, book: Book, tell: RunnerContext['watcher']['tell']) {
  if (line.did === 'started') {
    const { agent_id: agent, wake_id, attempt, cause, mail: unread } = line
    book.begins(agent)
    tell({ event: 'turn', agent, wake_id, attempt, cause, unread })
  } else if (line.did === 'held') tell({ event: 'held', agent: line.agent_id, why: line.why })
}

/** Returns null if the runner was interrupted, or if another runner has the instance now. */
async function waitUntilOver(
  { store, bell, signal: interrupt }: RunnerContext,
  life: RunnerLife,
  {
    watch: { look, clock },
    broker,
  }: { watch: ReturnType<typeof makeWatch>; broker: ReturnType<typeof startBroker> },
): Promise<InstanceEnd | null> {
  const signal = AbortSignal.any([interrupt, life.over.signal])
  for (;;) {
    try {
      const chores = [clock]
      const lookout = store.lookout()
      const found = await waitFor({ bell, look, lookout, chores, timeoutMs: 0, signal })
      return found.outcome === 'found' ? found.value : null
    } catch (error) {
      // If the store is away, just wait for it.
      const isAway = error instanceof Refusal && error.code === 'busy'
      if (!isAway || broker.hasFailed()) throw error
    }
  }
}

export type Book = ReturnType<typeof makeBook>

/** Counts turns and entries, and notes the agents the runner gave up on. */
export function makeBook(
  { plan, mode, standalone }: { plan: WorkflowPlan; mode: InstanceMode; standalone: boolean },
  members: readonly { agent_id: string }[],
) {
  const begun = new Map(members.map(({ agent_id }) => [agent_id, 0]))
  const most = new Map(
    plan.agents.map((agent) => [agentIdOf(plan, agent, standalone), turnLimitOf(agent)]),
  )
  const wakes = new Set<string>()
  const gaveUp = new Map<string, string>()
  let turns = 0
  let entries = 0
  let lastEntry = ''
  return {
    gaveUp,
    begins(agent: string) {
      turns += 1
      begun.set(agent, (begun.get(agent) ?? 0) + 1)
    },
    // With `workflow start`, agents have an hourly budget instead, which the broker enforces.
    mayTakeTurn: (agent: string) =>
      mode === 'start' ||
      (turns < TURNS_IN_ALL && (begun.get(agent) ?? 0) < (most.get(agent) ?? 0)),
    givesUp(agent: string, wake: string, why: string) {
      const isNew = !wakes.has(wake)
      wakes.add(wake)
      gaveUp.set(agent, why)
      return isNew
    },
    addEntry(entry: string) {
      entries += 1
      lastEntry = entry
    },
    turns: () => turns,
    turnsOf: (agent: string) => begun.get(agent) ?? 0,
    entries: () => entries,
    lastEntry: () => lastEntry,
  }
}
