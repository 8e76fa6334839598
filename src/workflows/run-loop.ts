// The loop of a run: setup, the kickoff, and then the agents, until there is nothing left to do. The broker starts them;
// this file watches what happens, and asks ending.ts whether the run is over.

import { Refusal } from '../core/error.ts'
import type { Auth } from '../core/server/server.ts'
import type { Store } from '../core/store.ts'
import type { Instant } from '../core/time.ts'
import type { Wake } from '../core/waking/wake.ts'
import { nameIn } from '../core/workflows/channel.ts'
import { type HeldInstance, type InstanceEnd, isToStop } from '../core/workflows/instance.ts'
import { type BrokerLine, runBroker } from '../wake/broker.ts'
import { keepInstance } from '../wake/instance.ts'
import { waitFor } from '../wake/wait.ts'
import { finish } from './finish.ts'
import { agentFolder } from './kept-plan.ts'
import type { Book, Life } from './run-book.ts'
import { reasonOf } from './run-news.ts'
import { followOutput } from './run-output.ts'
import { setUp } from './run-setup.ts'
import { makeWatch } from './run-watch.ts'
import type { RunnerContext, RunWish } from './runner.ts'
import { warningsOf } from './warnings.ts'

export type RunWork = {
  held: { instance: string; token: string }
  life: Life
  book: Book
  since: Instant
  began: number
  auth: Auth
}

/** The run as the last look found it. */
export type RunStanding = {
  instance: HeldInstance | null
  /** The last event of the log that was read. */
  cursor: number
  /** Whether anything has called an agent so far. */
  hasBegun: boolean
}

export type RunEnd = { ended: InstanceEnd; why: string }

export async function runLoop(
  context: RunnerContext,
  wish: RunWish,
  work: RunWork,
): Promise<RunEnd> {
  const { store } = context
  const { held, life } = work
  const standing: RunStanding = {
    cursor: await store.lastEventId(),
    instance: await store.instance(held.instance),
    hasBegun: false,
  }
  const early = await callAgents(context, wish, work, standing)
  if (early !== null) return early
  context.begun()
  // This rings for whoever waits until the run has begun.
  await keepInstance(store, held)
  const owner = ownerOf(context, wish, work, standing)
  const broker = startBroker(context, work, owner)
  const output = context.follows ? followOutput(wish, context.tell) : undefined
  const watch = makeWatch(context, wish, { ...work, standing, owner, output })
  const ended = await untilOver(context, life, { watch, broker })
  life.over.abort()
  await broker.isOver
  output?.end()
  broker.mustHaveWorked()
  if (ended !== null) return { ended, why: watch.whyOf(ended) }
  return life.isLost() ? { ended: 'lost', why: LOST } : { ended: 'stopped', why: '' }
}

const LOST = 'another runner has taken over the instance'

/** Setup and the kickoff, unless the run that is resumed had them. An end here is one before any agent was called. */
async function callAgents(
  context: RunnerContext,
  wish: RunWish,
  { held, life, began }: RunWork,
  standing: RunStanding,
): Promise<RunEnd | null> {
  const { plan, timeoutSeconds } = wish
  standing.hasBegun = wish.resume && (await hasBegunBefore(context.store, held.instance))
  if (standing.hasBegun) return null
  for (const { what, remedy } of warningsOf(plan)) {
    context.tell({ event: 'warning', words: `${what}; ${remedy}` })
  }
  const signal = AbortSignal.any([context.signal, life.over.signal])
  const spentSeconds = (performance.now() - began) / 1000
  const setup = await setUp(context, plan, { signal, timeoutSeconds, spentSeconds })
  if ('why' in setup) return life.isLost() ? { ended: 'lost', why: LOST } : setup
  const kickoff = finish(plan, setup.values)
  if (kickoff === undefined || standing.instance === null) return null
  const to = await context.kickOff(standing.instance, kickoff)
  standing.hasBegun = to.length > 0
  context.tell({ event: 'kickoff', to })
  return null
}

/** The runner as its broker asks for it: which agents may start, and what becomes of mail that none could deal with. */
function ownerOf(
  context: RunnerContext,
  { folder }: RunWish,
  { held, since, book }: RunWork,
  standing: RunStanding,
) {
  return {
    instance: held.instance,
    since,
    holds: async (reads: Pick<Store, 'instance'>) => {
      const found = await reads.instance(held.instance)
      return found?.token === held.token && found.state === 'running'
    },
    mayTakeTurn: (agent: string) =>
      standing.instance !== null && !isToStop(standing.instance, agent) && book.mayTakeTurn(agent),
    async giveUp(agent: string, wake: Wake) {
      const why = reasonOf(agentFolder(folder, nameIn(agent, held.instance)), wake)
      if (!book.givesUp(agent, wake.wake_id, why)) return
      const messages = await context.giveUp(agent, { ...wake, reason: why })
      context.tell({ event: 'gave_up', agent, why, messages })
    },
  }
}

/** A broker that fails ends the run. */
function startBroker(
  context: RunnerContext,
  { life, book, auth }: RunWork,
  owner: ReturnType<typeof ownerOf>,
) {
  let failure: unknown
  const isOver = runBroker({
    ...context,
    around: auth === 'tokens' ? { hasToken: true } : {},
    signal: life.over.signal,
    owner,
    tell: (line) => hear(line, book, context.tell),
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

/** Null when the run was interrupted, or belongs to another runner. */
async function untilOver(
  { store, bell, signal: interrupt }: RunnerContext,
  life: Life,
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
      // A runner has nothing better to do than to wait for its store.
      const isAway = error instanceof Refusal && error.code === 'busy'
      if (!isAway || broker.hasFailed()) throw error
    }
  }
}

function hear(line: BrokerLine, book: Book, tell: RunnerContext['tell']): void {
  if (line.did === 'started') {
    const { agent_id: agent, wake_id, attempt, cause, mail: unread } = line
    book.begins(agent)
    tell({ event: 'turn', agent, wake_id, attempt, cause, unread })
  } else if (line.did === 'held') tell({ event: 'held', agent: line.agent_id, why: line.why })
}

/** Whether the run that is resumed had its kickoff: anything but the system's first entry was said. */
async function hasBegunBefore(store: Store, name: string): Promise<boolean> {
  const instance = await store.instance(name)
  if (instance === null) return false
  if (instance.thread_id === '') return instance.generation > 1
  return (await store.entries({ thread: instance.thread_id, after: 1, limit: 1 })).length > 0
}
