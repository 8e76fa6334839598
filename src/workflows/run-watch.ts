// Watches a run: looks when something rings or time has passed, tells the news, and says when it is over and why.

import type { InstanceEnd } from '../core/workflows/instance.ts'
import type { Chore } from '../wake/wait.ts'
import type { Owner } from '../wake/wake-life.ts'
import { endingOf, QUIET_MS } from './ending.ts'
import type { MemberLook } from './run-look.ts'
import { lookAtMembers } from './run-look.ts'
import type { RunStanding, RunWork } from './run-loop.ts'
import { readNews } from './run-news.ts'
import type { followOutput } from './run-output.ts'
import { isWhollyStopped } from './run-setup.ts'
import type { RunnerContext, RunWish } from './runner.ts'

/** The runner looks no more often than this, however much rings. */
const PACE_MS = 100

type WatchParts = RunWork & {
  standing: RunStanding
  owner: Owner
  output: ReturnType<typeof followOutput> | undefined
}

export function makeWatch(
  context: RunnerContext,
  wish: RunWish,
  { held, life, book, began, standing, owner, output }: WatchParts,
) {
  const { store } = context
  const { plan, mode, folder, timeoutSeconds } = wish
  const timeoutMs = timeoutSeconds === undefined ? undefined : timeoutSeconds * 1000
  let lookedAt = Number.NEGATIVE_INFINITY
  let lookedUpTo = 0
  let happenedAt = performance.now()
  let isPaced = false
  let isQuiet = false
  let members: MemberLook[] = []

  /** The lease rings now and then. An instance that waits has nothing to do for it. */
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
    const news = await readNews(context, { ...standing, book, plan, folder })
    standing.cursor = news.cursor
    const instance = await store.instance(held.instance)
    standing.instance = instance
    if (instance === null || instance.token !== held.token) life.lose()
    if (instance === null) return 'lost'
    members = await lookAtMembers(store, instance, { ...context, owner, book })
    const isBusy = members.some(({ isWorking, waiting }) => isWorking || waiting > 0)
    standing.hasBegun ||= isBusy
    if (isBusy || news.isNews) happenedAt = performance.now()
    isQuiet = !isBusy
    const now = await store.now()
    context.show({ members, turns: book.turns(), lastEntry: book.lastEntry(), now })
    return endingOf({
      mode,
      isLost: life.isLost(),
      isStopped: context.signal.aborted || isWhollyStopped(instance),
      hasBegun: standing.hasBegun,
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
    // The look that follows does it.
    run: async () => {},
  }

  const namesOf = (is: (member: MemberLook) => boolean) =>
    members
      .filter(is)
      .map(({ name }) => name)
      .join(', ')

  /** Says more about an end, by what the last look found. */
  const whyOf = (ended: InstanceEnd): string => {
    if (ended === 'timeout') return `it took longer than ${timeoutSeconds} s`
    if (ended === 'budget') {
      const names = namesOf(({ isSpent }) => isSpent)
      return `mail waits for ${names}, after ${book.turns()} turns in all; raise max_turns, or go on with --resume`
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
