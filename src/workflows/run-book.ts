// A runner remembers its lease, which it keeps, and what it has counted.

import { Refusal } from '../core/error.ts'
import type { Store } from '../core/store.ts'
import {
  type HeldInstance,
  INSTANCE_KEEP_MS,
  type InstanceMode,
} from '../core/workflows/instance.ts'
import { keepInstance } from '../wake/instance.ts'
import { agentIdOf } from './kept-plan.ts'
import type { WorkflowPlan } from './plan.ts'
import { TURNS_IN_ALL, turnsOf } from './turn-limits.ts'

export type Life = ReturnType<typeof makeLife>

/** Keeps the runner's lease, until the run is over or somebody else has it. */
export function makeLife(store: Store, held: Pick<HeldInstance, 'instance' | 'token'>) {
  const over = new AbortController()
  let isLost = false
  let keeping = Promise.resolve()
  const lose = () => {
    isLost = true
    over.abort()
  }
  const timer = setInterval(() => {
    keeping = keeping
      .then(async () => {
        if (over.signal.aborted) return
        try {
          if ((await keepInstance(store, held)) === null) lose()
        } catch (error) {
          // A store that is away for a moment is asked again. Without the lease, supervisors end their programs.
          if (!(error instanceof Refusal)) throw error
        }
      })
      .catch(() => {})
  }, INSTANCE_KEEP_MS)
  return {
    over,
    lose,
    isLost: () => isLost,
    async ended() {
      clearInterval(timer)
      await keeping
    },
  }
}

export type Book = ReturnType<typeof makeBook>

/** Counts turns, and what the run has that no table says. */
export function makeBook(
  { plan, mode, standalone }: { plan: WorkflowPlan; mode: InstanceMode; standalone: boolean },
  members: readonly { agent_id: string }[],
) {
  const begun = new Map(members.map(({ agent_id }) => [agent_id, 0]))
  const most = new Map(
    plan.agents.map((agent) => [agentIdOf(plan, agent, standalone), turnsOf(agent)]),
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
    // An instance that goes on for days has a budget for each hour instead, which the broker keeps.
    mayTakeTurn: (agent: string) =>
      mode === 'start' ||
      (turns < TURNS_IN_ALL && (begun.get(agent) ?? 0) < (most.get(agent) ?? 0)),
    givesUp(agent: string, wake: string, why: string) {
      const isNew = !wakes.has(wake)
      wakes.add(wake)
      gaveUp.set(agent, why)
      return isNew
    },
    hasSaid(entry: string) {
      entries += 1
      lastEntry = entry
    },
    turns: () => turns,
    turnsOf: (agent: string) => begun.get(agent) ?? 0,
    entries: () => entries,
    lastEntry: () => lastEntry,
  }
}
