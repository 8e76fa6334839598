// Waits until everything that was asked to stop has stopped: of a whole instance its run has ended, and no program of its
// agents is left. A runner that is not heard of any more obeys nobody, so its run is ended here.

import { USER } from '../../core/agents/agent.ts'
import { isHeld } from '../../core/channels/instance.ts'
import { Refusal } from '../../core/error.ts'
import { epochMs, type Instant } from '../../core/time.ts'
import { askToStop } from '../../wake/instance.ts'
import type { Chore } from '../../wake/wait.ts'
import type { Context } from '../kit/operation.ts'
import { waitAs } from '../kit/waiting.ts'
import type { StopAnswer, StoppedAgent } from './workflow-stop.ts'

export type StopAsked = {
  instance: string
  /** The start that was asked to stop; a later one is another. */
  generation: number
  isWhole: boolean
  ids: string[]
}

type StopLook = Pick<StopAnswer, 'stopped' | 'still' | 'interrupted'>

export async function awaitStop(
  context: Context,
  asks: readonly StopAsked[],
  timeoutMs: number,
): Promise<StopLook> {
  const { store, bell, signal, caller } = context
  let looked: StopLook = { stopped: [], still: [] }
  let lapse: Instant | null = null
  const look = async () => {
    const now = await store.now()
    const found = await Promise.all(asks.map((one) => standingOf(context, one, now)))
    looked = {
      stopped: found.flatMap(({ stopped }) => stopped),
      still: found.flatMap(({ still }) => still),
    }
    lapse = found.flatMap((one) => one.lapse ?? []).sort()[0] ?? null
    return looked.still.length === 0 || null
  }
  const over: Chore = {
    dueMs: async () =>
      lapse === null ? null : Math.max(0, epochMs(lapse) - epochMs(await store.now())),
    run: () => endLost(context, asks),
  }
  const wait = { bell, look, lookout: store.lookout(), chores: [over], timeoutMs, signal }
  const waited = await waitAs(context, caller.agent, wait)
  return waited.outcome === 'interrupted' ? { ...looked, interrupted: true } : looked
}

async function standingOf({ store }: Context, asked: StopAsked, now: Instant) {
  const held = await store.instance(asked.instance)
  const isOver = held === null || held.state === 'ended' || held.generation !== asked.generation
  const busy = new Set(await busyOf(store, asked.ids, now))
  const ended = held?.generation === asked.generation ? held.ended : ''
  const agents = asked.ids.map((name): StoppedAgent => ({ name, instance: asked.instance, ended }))
  const isDone = ({ name }: StoppedAgent) => !busy.has(name) && (isOver || !asked.isWhole)
  return {
    stopped: agents.filter(isDone),
    still: agents.filter((one) => !isDone(one)),
    lapse: isOver || !asked.isWhole ? null : held.expires_at,
  }
}

/** The agents whose program runs, as far as its supervisor is heard of. */
async function busyOf(store: Context['store'], ids: string[], now: Instant): Promise<string[]> {
  const last = await Promise.all(ids.map((agent) => store.wakes({ agent, limit: 1 })))
  return last
    .flat()
    .flatMap((wake) => (wake.ended_at === null && wake.expires_at > now ? [wake.agent_id] : []))
}

/** To ask again for the end of a run that nobody holds ends it. */
async function endLost({ store, caller }: Context, asks: readonly StopAsked[]): Promise<void> {
  const now = await store.now()
  for (const { instance, generation, isWhole } of asks) {
    const held = await store.instance(instance)
    if (!isWhole || held?.state !== 'running' || held.generation !== generation) continue
    if (isHeld(held, now)) continue
    try {
      await askToStop(store, { instance, by: caller.agent ?? USER })
    } catch (error) {
      // The runner has ended it in between.
      if (!(error instanceof Refusal) || error.code !== 'invalid_state') throw error
    }
  }
}
