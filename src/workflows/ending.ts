// Decides whether an instance is over and how it ended. A pure function that the runner calls after everything that
// happens.
//
// (1) An instance that another runner has, that was told to stop, or that has no time left ends at once.
// (2) It continues while an agent is in a turn, has mail that leads to one, or holds the lease of a thread and has
//     turns left for its mail.
// (3) If it can't continue, it says why: its turns are used up, or its agents only talk to each other.
// (4) Otherwise it ends after a quiet moment: the last entry of a turn may still call an agent.
// (5) An instance that was started (`workflow start`) continues until someone stops it.

import type { InstanceEnd, InstanceMode } from '../core/workflows/instance.ts'

/** An instance counts as idle after this long without news. */
export const QUIET_MS = 2000

export type AgentLook = {
  isWorking: boolean
  /** How many unread messages lead to a turn, now or after a pause. */
  waiting: number
  /** How many don't lead to one because they're too many wakes away from a person's message. */
  tooFar: number
  /** Its mail is waiting for a turn, but there are no turns left for it. */
  isSpent: boolean
  isLeased: boolean
  /** The runner gave up on some of its mail because every attempt failed. */
  gaveUp: boolean
}

export type InstanceLook = {
  mode: InstanceMode
  /** Another runner has the instance, or this one's lease lapsed. */
  isLost: boolean
  isStopped: boolean
  /** Whether anything has called an agent so far: the kickoff, a timer, or a message. */
  hasBegun: boolean
  elapsedMs: number
  /** Absent without a limit. */
  timeoutMs?: number | undefined
  quietMs: number
  agents: readonly AgentLook[]
}

/** Null while it continues. */
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

/** The exit code for each end. An interrupted runner exits as the shell does. */
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
