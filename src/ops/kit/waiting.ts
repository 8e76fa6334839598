// An agent that waits is there: its status says so, and the mail it waits for is not pruned.

import { isOutOfSight, isPerson } from '../../core/agents/agent.ts'
import { AGENT_WAITING } from '../../core/agents/sighting.ts'
import { Refusal } from '../../core/error.ts'
import { plusSeconds } from '../../core/time.ts'
import { type Chore, type WaitOptions, type WaitOutcome, waitFor } from '../../wake/wait.ts'
import type { Context, StopNote } from './operation.ts'

/** A waiter notes itself again well before it would no longer be believed. */
const WAIT_SECONDS = 90
const REMIND_MS = 30_000
/**
 * Most waits are short, and a write would be in others' way, so an agent that was seen just now notes its
 * wait later. One that was not notes it at once, or a broadcast would pass it by.
 */
const FIRST_MS = 1000

/**
 * `askedAtOnce` tells whether the last look read everything in one go, so that the word to stop, which was
 * read with it, is as new as what it found.
 */
type Wait<T> = WaitOptions<T> & {
  askedAtOnce?: () => boolean
  /** The one thread that the wait is on: its cancellation is heard with the answer. */
  thread?: string
}

/**
 * Waits as this agent, until it is told to stop. A person, or nobody, has no status and only waits. An
 * agent that is told to stop comes back with nothing, and the answer says why. That presents the word, and
 * a word that was presented ends no other wait: an agent that goes on waiting would spin.
 */
export async function waitAs<T>(
  context: Pick<Context, 'store' | 'later'>,
  agentId: string | undefined,
  wait: Wait<T>,
  /**
   * This runs before the wait is taken back: a reader of the agent's status in between must not think that
   * it has gone and left its mail.
   */
  onFound: (value: T) => void = () => {},
): Promise<(WaitOutcome<T> | { outcome: 'stopped' }) & StopNote> {
  if (agentId === undefined || isPerson(agentId)) {
    const waited = await waitWhileGood(wait)
    if (waited.outcome === 'found') onFound(waited.value)
    return waited
  }
  const chore = waitNote(context, agentId)
  let notStopped: string | undefined
  const look = async (): Promise<{ found: T } | 'stopped' | null> => {
    const [found, stop] = await Promise.all([
      wait.look(),
      context.store.stopFor(agentId, wait.thread),
    ])
    const isSure = stop === null && (found === null || wait.askedAtOnce?.() === true)
    notStopped = isSure ? agentId : undefined
    if (found !== null) return { found }
    if (stop?.state !== 'queued') return null
    // The word may have come between the two reads, and be what the agent waits for.
    const late = await wait.look()
    return late === null ? 'stopped' : { found: late }
  }
  try {
    const about = wait.about && [...wait.about, agentId]
    const waited = await waitWhileGood({ ...wait, about, look, chores: [...wait.chores, chore] })
    if (waited.outcome !== 'found') return { ...waited, notStopped }
    if (waited.value === 'stopped') return { outcome: 'stopped' }
    const value = waited.value.found
    onFound(value)
    return { outcome: 'found', value, notStopped }
  } finally {
    context.later(chore.end, 'anyway')
  }
}

/**
 * A chore is refused when the waiter's token has ended. What the call did before its wait is done all the same, so
 * the wait is only over; the runner refuses what was found.
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

/** Notes that somebody waits, and repeats it meanwhile; `end` takes it back. */
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

/** The end of the words, which stays where a terminal has no room for all of them. */
export const HOW_TO_STOP = '; Ctrl-C stops'

/** Says for what a command waits and for whom, and how to end it. */
export function describeWait(what: string, agent?: string): string {
  const who = agent === undefined ? '' : ` for ${agent}`
  return `waiting${who}: ${what}${HOW_TO_STOP}`
}
