// How agents wait. An agent that waits is present: its status says so, and the mail it waits for isn't pruned.

import { isOutOfSight, isPerson } from '../../core/agents/agent.ts'
import { AGENT_WAITING } from '../../core/agents/sighting.ts'
import { Refusal } from '../../core/error.ts'
import { plusSeconds } from '../../core/time.ts'
import { type Chore, type WaitOptions, type WaitOutcome, waitFor } from '../../wake/wait.ts'
import { byDefault, int } from './field.ts'
import type { Context } from './operation.ts'

export const WAIT_FIELD = byDefault(
  int('give up after this many seconds; 0 waits forever', { max: 31_536_000 }),
  1800,
)

/** A waiter renews its note well before the note expires. */
const WAIT_SECONDS = 90
const REMIND_MS = 30_000
/**
 * Most waits are short, and a write would get in the way of others, so an agent that was just seen records its wait
 * after a delay. Any other agent records it right away, because otherwise a broadcast would miss it.
 */
const FIRST_MS = 1000

/**
 * `askedAtOnce` returns whether the last look read all of its data in a single step. If so, the stop message read with
 * it is as recent as the data.
 */
type Wait<T> = WaitOptions<T> & {
  askedAtOnce?: () => boolean
  /** The thread being waited on: its cancellation is reported together with the answer. */
  thread?: string
}

/**
 * Waits as this agent until it's told to stop. People, and callers without a name, have no status and just wait. An
 * agent that is told to stop gets no result, and the answer says why. Returning the stop message presents it, and once
 * presented, it doesn't end another wait. Otherwise, an agent that keeps waiting would spin.
 */
export async function waitAs<T>(
  context: Pick<Context, 'store' | 'later' | 'stopCheck'>,
  agentId: string | undefined,
  wait: Wait<T>,
  /**
   * Runs before the wait note is removed. Otherwise, someone who reads the agent's status in between could conclude
   * that the agent has gone and left its mail unread.
   */
  onFound: (value: T) => void = () => {},
): Promise<WaitOutcome<T> | { outcome: 'stopped' }> {
  const { stopCheck } = context
  stopCheck.notStopped = undefined
  if (agentId === undefined || isPerson(agentId)) {
    const waited = await waitWhileGood(wait)
    if (waited.outcome === 'found') onFound(waited.value)
    return waited
  }
  const chore = waitNote(context, agentId)
  const look = async (): Promise<{ found: T } | 'stopped' | null> => {
    const [found, stop] = await Promise.all([
      wait.look(),
      context.store.stopFor(agentId, wait.thread),
    ])
    const isSure = stop === null && (found === null || wait.askedAtOnce?.() === true)
    stopCheck.notStopped = isSure ? agentId : undefined
    if (found !== null) return { found }
    if (stop?.state !== 'queued') return null
    // The stop message may have arrived between the two reads and be what the agent is waiting for.
    const late = await wait.look()
    return late === null ? 'stopped' : { found: late }
  }
  try {
    const about = wait.about && [...wait.about, agentId]
    const waited = await waitWhileGood({ ...wait, about, look, chores: [...wait.chores, chore] })
    if (waited.outcome !== 'found') return waited
    if (waited.value === 'stopped') return { outcome: 'stopped' }
    const value = waited.value.found
    onFound(value)
    return { outcome: 'found', value }
  } finally {
    context.later(chore.end, 'anyway')
  }
}

/**
 * A chore is refused once the waiter's token has expired or been revoked. What the call did before waiting still
 * counts, so the wait just ends, and the runner refuses to return what was found.
 */
async function waitWhileGood<T>(wait: WaitOptions<T>): Promise<WaitOutcome<T>> {
  try {
    return await waitFor(wait)
  } catch (error) {
    if (error instanceof Refusal && error.code === 'unauthenticated')
      return { outcome: 'interrupted' }
    throw error
  }
}

/** Records that the agent is waiting and keeps renewing that note; `end` removes it. */
function waitNote(
  { store }: Pick<Context, 'store'>,
  agentId: string,
): Chore & { end: () => Promise<unknown> } {
  const say = (seconds: number | null) =>
    store.write(async (tx) => {
      const now = await tx.now()
      const waiting_until = seconds === null ? '' : plusSeconds(now, seconds)
      tx.keep(AGENT_WAITING, { agent_id: agentId, seen_at: now, waiting_until })
      return {}
    })
  const isUnseen = async () => {
    const [agent, now] = await Promise.all([store.agent(agentId), store.now()])
    return isOutOfSight(agent, now)
  }
  let next: number | undefined
  let isSaid = false
  return {
    async dueMs() {
      next ??= performance.now() + ((await isUnseen()) ? 0 : FIRST_MS)
      return Math.max(0, next - performance.now())
    },
    async run() {
      isSaid = true
      await say(WAIT_SECONDS)
      next = performance.now() + REMIND_MS
    },
    end: async () => (isSaid ? say(null) : undefined),
  }
}

/** The end of the wait message. It's kept even if the terminal doesn't have room for the whole message. */
export const HOW_TO_STOP = '; Ctrl-C stops'

/** What a command waits for and for whom, and how to end it. */
export function describeWait(what: string, agent?: string): string {
  const who = agent === undefined ? '' : ` for ${agent}`
  return `waiting${who}: ${what}${HOW_TO_STOP}`
}
