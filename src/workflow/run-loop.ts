// The loop of a run: setup, the kickoff, and then the agents, until there is nothing left to do. The broker starts them;
// this file watches what happens, and asks ending.ts whether the run is over.

import { entryOf, nameIn } from '../core/channels/channel.ts'
import { type HeldInstance, type InstanceEnd, isToStop } from '../core/channels/instance.ts'
import { Refusal } from '../core/error.ts'
import type { Auth } from '../core/server/server.ts'
import type { Store } from '../core/store.ts'
import { epochMs, type Instant } from '../core/time.ts'
import type { Wake } from '../core/waking/wake.ts'
import { type BrokerLine, runBroker } from '../wake/broker.ts'
import { keepInstance } from '../wake/instance.ts'
import { type Chore, waitFor } from '../wake/wait.ts'
import { endingOf, QUIET_MS } from './ending.ts'
import { finish } from './finish.ts'
import { agentFolder } from './kept-plan.ts'
import type { WorkflowPlan } from './plan.ts'
import type { Book, Life } from './run-book.ts'
import { lookAtMembers } from './run-look.ts'
import { followOutput } from './run-output.ts'
import { isWhollyStopped, setUp } from './run-setup.ts'
import type { RunnerContext, RunWish } from './runner.ts'
import { readAgentState } from './turn-log.ts'
import { warningsOf } from './warnings.ts'

/** The runner looks no more often than this, however much rings. */
const PACE_MS = 100
const EVENTS_AT_ONCE = 500

type Work = {
  held: { instance: string; token: string }
  life: Life
  book: Book
  since: Instant
  began: number
  auth: Auth
}

export async function runLoop(
  context: RunnerContext,
  wish: RunWish,
  { held, life, book, since, began, auth }: Work,
): Promise<{ ended: InstanceEnd; why: string }> {
  const { store, bell, tell } = context
  const { plan, mode } = wish
  const timeoutMs = wish.timeoutSeconds === undefined ? undefined : wish.timeoutSeconds * 1000
  const signal = AbortSignal.any([context.signal, life.over.signal])
  let cursor = await store.lastEventId()
  let instance = await store.instance(held.instance)
  const mustStart = !wish.resume || !(await hasBegunBefore(store, held.instance))
  let hasBegun = false
  if (mustStart) {
    for (const { what, remedy } of warningsOf(plan)) {
      tell({ event: 'warning', words: `${what}; ${remedy}` })
    }
    const spentMs = performance.now() - began
    const leftMs = timeoutMs === undefined ? undefined : Math.max(1, timeoutMs - spentMs)
    const setup = await setUp(context, plan, { signal, leftMs })
    if ('why' in setup) return life.isLost() ? { ended: 'lost', why: LOST } : setup
    const kickoff = finish(plan, setup.values)
    if (kickoff !== undefined && instance !== null) {
      const to = await context.kickOff(instance, kickoff)
      hasBegun = to.length > 0
      tell({ event: 'kickoff', to })
    }
  } else hasBegun = true
  context.begun()
  // This rings for whoever waits until the run has begun.
  await keepInstance(store, held)
  const owner = {
    instance: held.instance,
    since,
    holds: async (reads: Pick<Store, 'instance'>) => {
      const found = await reads.instance(held.instance)
      return found?.token === held.token && found.state === 'running'
    },
    mayTakeTurn: (agent: string) =>
      instance !== null && !isToStop(instance, agent) && book.mayTakeTurn(agent),
    async giveUp(agent: string, wake: Wake) {
      if (!book.givesUp(agent, wake.wake_id)) return
      const why = reasonOf(agentFolder(wish.folder, nameIn(agent, held.instance)), wake)
      const messages = await context.giveUp(agent, { ...wake, reason: why })
      tell({ event: 'gave_up', agent, why, messages })
    },
  }
  let failure: unknown
  const broker = runBroker({
    ...context,
    around: auth === 'tokens' ? { hasToken: true } : {},
    signal: life.over.signal,
    owner,
    tell: (line) => hear(line, book, tell),
  }).catch((error) => {
    failure = error
    life.over.abort()
  })
  const output = context.follows ? followOutput(wish, tell) : undefined
  let lookedAt = Number.NEGATIVE_INFINITY
  let happenedAt = performance.now()
  let isPaced = false
  let isQuiet = false
  let lookedUpTo = 0
  const look = async (): Promise<InstanceEnd | null> => {
    const at = performance.now()
    isPaced = at - lookedAt < PACE_MS
    if (isPaced && !context.signal.aborted) return null
    lookedAt = at
    // The lease rings now and then. An instance that waits has nothing to do for it.
    const isWaiting =
      mode === 'start' && isQuiet && !context.signal.aborted && timeoutMs === undefined
    const end = await store.lastEventId()
    if (isWaiting && end === lookedUpTo) return null
    lookedUpTo = end
    output?.tell()
    const read = await readNews(context, { cursor, instance, book, plan, folder: wish.folder })
    cursor = read.cursor
    instance = await store.instance(held.instance)
    if (instance === null || instance.token !== held.token) life.lose()
    if (instance === null) return 'lost'
    const members = await lookAtMembers(store, instance, { ...context, owner, book })
    hasBegun ||= members.some(({ isWorking, waiting }) => isWorking || waiting > 0)
    const isBusy = members.some(({ isWorking, waiting }) => isWorking || waiting > 0)
    if (isBusy || read.isNews) happenedAt = performance.now()
    isQuiet = !isBusy
    const now = await store.now()
    context.show({ members, turns: book.turns(), lastEntry: book.lastEntry(), now })
    const current = instance
    return endingOf({
      mode,
      isLost: life.isLost(),
      isStopped: context.signal.aborted || isWhollyStopped(current),
      hasBegun,
      elapsedMs: performance.now() - began,
      timeoutMs,
      quietMs: performance.now() - happenedAt,
      agents: members,
    })
  }
  const clock: Chore = {
    async dueMs() {
      const at = performance.now()
      const due = [
        ...(isPaced ? [lookedAt + PACE_MS - at] : []),
        ...(isQuiet && mode === 'run' ? [happenedAt + QUIET_MS - at] : []),
        ...(timeoutMs === undefined ? [] : [began + timeoutMs - at]),
      ]
      return due.length === 0 ? null : Math.max(0, Math.min(...due))
    },
    run: async () => {},
  }
  for (;;) {
    try {
      const waiting = {
        bell,
        look,
        lookout: store.lookout(),
        chores: [clock],
        timeoutMs: 0,
        signal,
      }
      const found = await waitFor(waiting)
      life.over.abort()
      await broker
      output?.end()
      if (failure !== undefined) throw failure
      if (found.outcome === 'found') return { ended: found.value, why: '' }
      if (life.isLost()) return { ended: 'lost', why: LOST }
      return { ended: 'stopped', why: '' }
    } catch (error) {
      // A runner has nothing better to do than to wait for its store.
      if (!(error instanceof Refusal && error.code === 'busy') || failure !== undefined) throw error
    }
  }
}

const LOST = 'another runner has taken over the instance'

function hear(line: BrokerLine, book: Book, tell: RunnerContext['tell']): void {
  if (line.did === 'started') {
    const { agent_id: agent, wake_id, attempt, cause, mail: unread } = line
    book.begins(agent)
    tell({ event: 'turn', agent, wake_id, attempt, cause, unread })
  } else if (line.did === 'held') tell({ event: 'held', agent: line.agent_id, why: line.why })
}

/** Tells the news of the log since the last look: entries, and turns that ended. */
async function readNews(
  { store, tell }: Pick<RunnerContext, 'store' | 'tell'>,
  {
    cursor,
    instance,
    book,
    plan,
    folder,
  }: {
    cursor: number
    instance: HeldInstance | null
    book: Book
    plan: WorkflowPlan
    folder: string
  },
): Promise<{ cursor: number; isNews: boolean }> {
  let after = cursor
  let isNews = false
  for (;;) {
    const events = await store.events({ after, without: [], limit: EVENTS_AT_ONCE })
    for (const event of events) {
      after = event.event_id
      if (event.event_type === 'channel_say' && event.thread_id === instance?.thread_id) {
        const message = event.message_id === null ? null : await store.message(event.message_id)
        if (message === null) continue
        const entry = entryOf(message, plan.instance)
        book.hasSaid(`${entry.from}: ${entry.message}`)
        tell({ event: 'entry', ...entry })
        isNews = true
      } else if (event.event_type === 'wake_end') {
        const facts = JSON.parse(event.payload_json) as {
          agent_id: string
          wake_id: string
          state: string
          reason: string
        }
        const member = instance?.members.find(({ agent_id }) => agent_id === facts.agent_id)
        if (member === undefined) continue
        const { agent_id: agent, wake_id, state } = facts
        const wake = (await store.wakes({ agent, limit: 5 })).find((one) => one.wake_id === wake_id)
        const seconds =
          wake === undefined
            ? 0
            : (epochMs(wake.ended_at ?? wake.started_at) - epochMs(wake.started_at)) / 1000
        const { last } = readAgentState(agentFolder(folder, member.name))
        const reason = reasonOf(agentFolder(folder, member.name), facts)
        tell({ event: 'turn_end', agent, wake_id, state, reason, seconds, last })
        isNews = true
      }
    }
    if (events.length === 0) return { cursor: after, isNews }
  }
}

/** The backend's own words for a failed turn, where it had any. */
function reasonOf(
  folder: string,
  { wake_id, reason }: { wake_id: string; reason: string },
): string {
  const { failed } = readAgentState(folder)
  return failed?.wake === wake_id && failed.why !== '' ? failed.why : reason
}

/** Whether the run that is resumed had its kickoff: anything but the system's first entry was said. */
async function hasBegunBefore(store: Store, name: string): Promise<boolean> {
  const instance = await store.instance(name)
  if (instance === null) return false
  if (instance.thread_id === '') return instance.generation > 1
  return (await store.entries({ thread: instance.thread_id, after: 1, limit: 1 })).length > 0
}
