// An agent of a workflow is started by nobody but the runner of its instance, whose broker is its own. So a server beside
// a runner, or a second runner that has taken over, never starts the same agent for the same mail.

import type { Agent } from '../core/agents/agent.ts'
import type { Reads } from '../core/store.ts'
import type { Instant } from '../core/time.ts'
import type { WakeHistory } from '../core/waking/waking.ts'

/** The runner that a broker belongs to. */
export type Owner = {
  instance: string
  /** When it began. What failed before is not held against anybody. */
  since: Instant
  /** Whether it still holds its instance, asked in the transaction that begins a wake. */
  holds: (reads: Reads) => Promise<boolean>
}

/** Whether a broker may start this agent: a runner its own, every other broker those that have no runner. */
export function isOwn({ wake }: Pick<Agent, 'wake'>, owner: Owner | undefined): boolean {
  return wake.runner === owner?.instance
}

/** The history as it counts for a runner: a failure before it began is no reason to wait, or to give up. */
export function sinceThen(history: WakeHistory, owner: Owner | undefined): WakeHistory {
  const { last } = history
  const isOld = owner !== undefined && last !== null && (last.ended_at ?? owner.since) < owner.since
  return isOld ? { ...history, last: null } : history
}
