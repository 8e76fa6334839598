// Who waits is there: its status says so, and what it waits over is not pruned.

import { isPerson } from '../core/agent.ts'
import { plusSeconds } from '../core/time.ts'
import { type Chore, type Waited, type Waiting, waitFor } from '../wake/wait.ts'
import type { Context } from './operation.ts'

/** A waiter says so again well before it would no longer be believed. */
const WAIT_SECONDS = 90
const REMIND_MS = 30_000
/** Most waits are short: whoever came just now was seen, and a write would be in others' way. */
const FIRST_MS = 1000

/** Waits as this agent; as a person or nobody, of whom no status is known, only waits. */
export async function waitAs<T>(
  context: Pick<Context, 'store' | 'later'>,
  agentId: string | undefined,
  wait: Waiting<T>,
  /** What follows from what was found follows before the wait is taken back: whoever looks at this
   *  agent in between must not think that it has gone and left its mail. */
  onFound: (value: T) => void = () => {},
): Promise<Waited<T>> {
  const isAgent = agentId !== undefined && !isPerson(agentId)
  const chore = isAgent ? waiting(context, agentId) : null
  try {
    const chores = chore === null ? wait.chores : [...wait.chores, chore]
    const waited = await waitFor({ ...wait, chores })
    if (waited.outcome === 'found') onFound(waited.value)
    return waited
  } finally {
    if (chore !== null) context.later(chore.end, 'anyway')
  }
}

/** Says that somebody waits, and again while it does; `end` takes it back. */
export function waiting(
  { store }: Pick<Context, 'store'>,
  agentId: string,
): Chore & { end: () => Promise<unknown> } {
  const say = (seconds: number | null) =>
    store.write(async (tx) => {
      const now = await tx.now()
      tx.sight(agentId, now, seconds === null ? null : plusSeconds(now, seconds))
      return {}
    })
  let next = performance.now() + FIRST_MS
  let isSaid = false
  return {
    dueMs: async () => Math.max(0, next - performance.now()),
    async run() {
      isSaid = true
      await say(WAIT_SECONDS)
      next = performance.now() + REMIND_MS
    },
    end: async () => (isSaid ? say(null) : undefined),
  }
}
