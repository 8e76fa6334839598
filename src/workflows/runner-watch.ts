// Watches an instance: whenever the bell rings or a timer is due, reports the news and decides whether the instance is
// over, and why.

import type { Store } from '../core/store.ts'
import { epochMs } from '../core/time.ts'
import { entryOf } from '../core/workflows/channel.ts'
import {
  type HeldInstance,
  type InstanceEnd,
  isToStop,
  isWhollyStopped,
} from '../core/workflows/instance.ts'
import type { Chore } from '../wake/wait.ts'
import { type Owner, situationOf } from '../wake/wake-life.ts'
import { hasFailedByItself } from '../wake/watch-program.ts'
import { type AgentLook, endingOf, QUIET_MS } from './ending.ts'
import { agentIdOf } from './plan.ts'
import type { Runner, RunnerContext } from './runner.ts'
import { agentFolder, readAgentState, readTurnLog } from './runner-folder.ts'
import type { Book, RunnerStanding } from './runner-loop.ts'
import type { RunnerLine } from './runner-report.ts'

/** The runner checks the instance at most this often, however often the bell rings. */
const PACE_MS = 100
/** How often the output of the agents' programs is read. */
const OUTPUT_MS = 300
const EVENTS_AT_ONCE = 500

type WatchParts = {
  standing: RunnerStanding
  owner: Owner
  output: ReturnType<typeof followOutput> | undefined
}

export function makeWatch(
  context: RunnerContext,
  runner: Runner,
  { standing, owner, output }: WatchParts,
) {
  const { store, watcher } = context
  const { mode, timeoutSeconds, held, life, book, beganMs } = runner
  const timeoutMs = timeoutSeconds === undefined ? undefined : timeoutSeconds * 1000
  let lookedAt = Number.NEGATIVE_INFINITY
  let lookedUpTo = 0
  let happenedAt = performance.now()
  let isPaced = false
  let isQuiet = false
  let members: MemberLook[] = []

  /** The bell also rings when the lease is renewed. An idle instance doesn't need to be checked then. */
  const hasNothingToDo = async () => {
    const mayWait = mode === 'start' && timeoutMs === undefined && !context.signal.aborted
    const end = await store.lastEventId()
    if (mayWait && isQuiet && end === lookedUpTo) return true
    lookedUpTo = end
    return false
  }

  const look = async (): Promise<InstanceEnd | null> => {
    const at = performance.now()
    isPaced = at - lookedAt < PACE_MS
    if (isPaced && !context.signal.aborted) return null
    lookedAt = at
    if (await hasNothingToDo()) return null
    output?.tell()
    const news = await readNews(context, runner, standing)
    standing.cursor = news.cursor
    const instance = await store.instance(held.instance)
    standing.instance = instance
    if (instance === null || instance.token !== held.token) life.lose()
    if (instance === null) return 'lost'
    members = await lookAtMembers(context, instance, { owner, book })
    const isBusy = members.some(({ isWorking, waiting }) => isWorking || waiting > 0)
    standing.hasBegun ||= isBusy
    if (isBusy || news.isNews) happenedAt = performance.now()
    isQuiet = !isBusy
    const now = await store.now()
    watcher.show({ members, turns: book.turns(), lastEntry: book.lastEntry(), now })
    return endingOf({
      mode,
      isLost: life.isLost(),
      isStopped: context.signal.aborted || isWhollyStopped(instance),
      hasBegun: standing.hasBegun,
      elapsedMs: performance.now() - beganMs,
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
        ...(timeoutMs === undefined ? [] : [beganMs + timeoutMs - at]),
      ]
      return due.length === 0 ? null : Math.max(0, Math.min(...due))
    },
    // `look` is called next and does the work.
    run: async () => {},
  }

  const namesOf = (is: (member: MemberLook) => boolean) =>
    members
      .filter(is)
      .map(({ name }) => name)
      .join(', ')

  const whyOf = (ended: InstanceEnd): string => {
    if (ended === 'timeout') return `it took longer than ${timeoutSeconds} s`
    if (ended === 'budget') {
      const names = namesOf(({ isSpent }) => isSpent)
      return `mail waits for ${names}, after ${book.turns()} turns in all; raise max_turns, or continue with --resume`
    }
    if (ended === 'hops') {
      const names = namesOf(({ tooFar }) => tooFar > 0)
      return `the last mail of ${names} is too many wakes away from a person's words; raise hops, or write to ${names} yourself`
    }
    if (ended !== 'failed') return ''
    return [...book.gaveUp].map(([agent, why]) => `${agent}: ${why}`).join('; ')
  }
  return { look, clock, whyOf }
}

export type MemberLook = AgentLook & {
  agent_id: string
  name: string
  since: string | null
  unread: number
}

/**
 * Whether each agent works, how much mail waits for it, and what keeps it from continuing. Uses the same rules that
 * start agents, so an instance never ends while those rules would still start one.
 */
function lookAtMembers(
  { store, offsetMinutes }: RunnerContext,
  instance: HeldInstance,
  { owner, book }: { owner: Owner; book: Book },
): Promise<MemberLook[]> {
  return Promise.all(
    instance.members.map(async ({ agent_id, name }): Promise<MemberLook> => {
      const [situation, unread] = await Promise.all([
        situationOf(store, agent_id, offsetMinutes, owner),
        store.unread(agent_id),
      ])
      const gaveUp = book.gaveUp.has(agent_id)
      const still = { isWorking: false, waiting: 0, tooFar: 0, isSpent: false, isLeased: false }
      if (situation === null) return { ...still, agent_id, name, gaveUp, unread, since: null }
      const { agent, now, history, mail, ruling } = situation
      const open = history.last !== null && history.last.ended_at === null ? history.last : null
      // An agent that was told to stop, or is off, won't start again, so its mail doesn't hold anything up.
      const isOff = agent.declared_status === 'off' || isToStop(instance, agent_id)
      const mayStill = ruling.wakes || ruling.again !== null
      const waiting = open !== null || isOff || !mayStill ? 0 : mail.count
      return {
        agent_id,
        name,
        gaveUp,
        unread,
        since: open?.started_at ?? null,
        isWorking: open !== null,
        waiting,
        tooFar: isOff ? 0 : mail.tooFar,
        isSpent: waiting > 0 && !book.mayTakeTurn(agent_id),
        isLeased: (agent.leased_until ?? '') > now,
      }
    }),
  )
}

/** Reports what's new in the log since the last call: entries, and turns that ended. */
async function readNews(
  { store, watcher: { tell } }: RunnerContext,
  { book, plan, folder }: Runner,
  { cursor, instance }: RunnerStanding,
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
        book.addEntry(`${entry.from}: ${entry.message}`)
        tell({ event: 'entry', ...entry })
        isNews = true
      } else if (event.event_type === 'wake_end') {
        const facts = JSON.parse(event.payload_json) as EndedWake
        const member = instance?.members.find(({ agent_id }) => agent_id === facts.agent_id)
        if (member === undefined) continue
        tell(await turnEndOf(store, facts, agentFolder(folder, member.name)))
        isNews = true
      }
    }
    if (events.length === 0) return { cursor: after, isNews }
  }
}

type EndedWake = { agent_id: string; wake_id: string; state: string; reason: string }

async function turnEndOf(store: Store, facts: EndedWake, folder: string): Promise<RunnerLine> {
  const { agent_id: agent, wake_id, state } = facts
  const wake = (await store.wakes({ agent, limit: 5 })).find((one) => one.wake_id === wake_id)
  const seconds =
    wake === undefined
      ? 0
      : (epochMs(wake.ended_at ?? wake.started_at) - epochMs(wake.started_at)) / 1000
  const { last } = readAgentState(folder)
  const reason = reasonOf(folder, facts)
  return { event: 'turn_end', agent, wake_id, state, reason, seconds, last }
}

/** Why a turn failed. If its program failed on its own, prefers the backend's message, if there is one. */
export function reasonOf(
  folder: string,
  { wake_id, reason }: { wake_id: string; reason: string },
): string {
  if (!hasFailedByItself(reason)) return reason
  const { failed } = readAgentState(folder)
  return failed?.wake === wake_id && failed.why !== '' ? failed.why : reason
}

/** Reports the output of the agents' programs as their logs grow. */
export function followOutput(
  { plan, standalone, folder }: Runner,
  say: (line: RunnerLine) => void,
) {
  const logs = plan.agents.map((agent) => {
    const path = agentFolder(folder, agent.name)
    // Skip the output of earlier starts.
    return { agent: agentIdOf(plan, agent, standalone), path, end: readTurnLog(path, 0).end }
  })
  const tell = () => {
    for (const log of logs) {
      const { lines, end } = readTurnLog(log.path, log.end)
      log.end = end
      for (const { wake, ...line } of lines) {
        if (line.kind !== 'end') say({ event: 'output', agent: log.agent, wake_id: wake, ...line })
      }
    }
  }
  const timer = setInterval(tell, OUTPUT_MS)
  return {
    tell,
    end() {
      clearInterval(timer)
      tell()
    },
  }
}
