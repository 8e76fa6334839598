// Decides when a run is over, and how it ended, as a pure function: the runner asks it after everything that happens.
//
// (1) Whoever holds the instance no longer, was told to stop or has no time left ends at once.
// (2) A run goes on while an agent is in a turn, has mail that leads to one, or holds the lease of a thread and has turns
//     left for its mail.
// (3) A run that was kept from going on says so: its turns are used up, or agents only talk to each other.
// (4) Then nothing may happen for a moment: the last words of a turn may call somebody.
// (5) An instance that was started, and not run, goes on until somebody stops it.

import type { InstanceEnd, InstanceMode } from '../core/workflows/instance.ts'

/** Nothing may happen for this long before a run counts as idle. */
export const QUIET_MS = 2000

export type AgentLook = {
  /** The agent is in a turn, or one is about to begin. */
  isWorking: boolean
  /** Unread mail that leads to a turn, now or after a pause. */
  waiting: number
  /** Unread mail that would lead to one, were it not too many wakes away from a person's words. */
  tooFar: number
  /** Whether its mail waits for a turn that the run does not have any more. */
  isSpent: boolean
  /** Whether it holds the lease of a thread. */
  isLeased: boolean
  /** Whether mail of this run was given up, because every attempt failed. */
  gaveUp: boolean
}

export type RunLook = {
  mode: InstanceMode
  /** Another runner has the instance, or nobody heard of this one for too long. */
  isLost: boolean
  isStopped: boolean
  /** Whether anything has called an agent so far: the kickoff, a timer, or somebody's words. */
  hasBegun: boolean
  elapsedMs: number
  /** Absent without a limit. */
  timeoutMs?: number | undefined
  /** Since when nothing has happened. */
  quietMs: number
  agents: readonly AgentLook[]
}

/** Null while it goes on. */
export function endingOf(run: RunLook): InstanceEnd | null {
  if (run.isLost) return 'lost'
  if (run.isStopped) return 'stopped'
  if (run.timeoutMs !== undefined && run.elapsedMs >= run.timeoutMs) return 'timeout'
  if (run.mode === 'start') return null
  const some = (is: (agent: AgentLook) => boolean) => run.agents.some(is)
  if (some(({ isWorking }) => isWorking)) return null
  if (some(({ waiting, isSpent, isLeased }) => (waiting > 0 || isLeased) && !isSpent)) return null
  if (some(({ isSpent }) => isSpent)) return 'budget'
  if (!run.hasBegun) return 'no_kickoff'
  if (run.quietMs < QUIET_MS) return null
  if (some(({ tooFar }) => tooFar > 0)) return 'hops'
  return some(({ gaveUp }) => gaveUp) ? 'failed' : 'idle'
}

/** The exit code of a run by its end; the shell's own for one that was interrupted. */
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
