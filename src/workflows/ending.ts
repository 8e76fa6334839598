// Decides whether an instance is over and how it ended. A pure function that the runner calls whenever something
// happens.
//
// (1) An instance ends immediately if another runner has it, if it was told to stop, or if its time is up.
// (2) It continues while an agent is in a turn, has mail that leads to a turn, or holds a thread's lease and has turns
//     left for its mail.
// (3) If it can't continue, it says why: its turns are used up, or its agents only talk to each other.
// (4) Otherwise it ends after a short quiet period, because the last entry of a turn may still call an agent.
// (5) An instance that was started (`workflow start`) continues until someone stops it.

import type { InstanceEnd, InstanceMode } from '../core/workflows/instance.ts'

/** An instance counts as idle after this long without news. */
export const QUIET_MS = 2000

export type AgentLook = {
  isWorking: boolean
  /** How many unread messages lead to a turn, now or after a pause. */
  waiting: number
  /** How many unread messages don't lead to a turn because they're too many wakes away from a person's message. */
  tooFar: number
  /** Whether it has mail waiting but no turns left. */
  isSpent: boolean
  isLeased: boolean
  /** Whether the runner gave up on some of its mail because every attempt failed. */
  gaveUp: boolean
}

export type InstanceLook = {
  mode: InstanceMode
  /** Whether another runner has the instance, or this runner's lease has lapsed. */
  isLost: boolean
  isStopped: boolean
  /** Whether an agent has been called so far, by the kickoff, a timer or a message. */
  hasBegun: boolean
  elapsedMs: number
  /** Undefined if there's no limit. */
  timeoutMs?: number | undefined
  quietMs: number
  agents: readonly AgentLook[]
}

/** How the instance ended, or null if it continues. */
export function endingOf(seen: InstanceLook): InstanceEnd | null {
  if (seen.isLost) return 'lost'
  if (seen.isStopped) return 'stopped'
  if (seen.timeoutMs !== undefined && seen.elapsedMs >= seen.timeoutMs) return 'timeout'
  if (seen.mode === 'start') return null
  const some = (is: (agent: AgentLook) => boolean) => seen.agents.some(is)
  if (some(({ isWorking }) => isWorking)) return null
  if (some(({ waiting, isSpent, isLeased }) => (waiting > 0 || isLeased) && !isSpent)) return null
  if (some(({ isSpent }) => isSpent)) return 'budget'
  if (!seen.hasBegun) return 'no_kickoff'
  if (seen.quietMs < QUIET_MS) return null
  if (some(({ tooFar }) => tooFar > 0)) return 'hops'
  return some(({ gaveUp }) => gaveUp) ? 'failed' : 'idle'
}

/** The exit code for each end. An interrupted `workflow run` exits with 128 plus the signal's number instead. */
export const EXIT_OF_END: Readonly<Record<InstanceEnd, number>> = {
  idle: 0,
  stopped: 0,
  no_kickoff: 10,
  timeout: 10,
  failed: 1,
  budget: 1,
  hops: 1,
  lost: 20,
}
