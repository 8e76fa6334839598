// Waits until everything that was asked to stop has stopped: of a whole instance its run has ended, and no program of its
// agents is left. A runner that is not heard of any more obeys nobody, so its run is ended here, and so is a turn whose
// supervisor is not.

import { USER } from '../../core/agents/agent.ts'
import { Refusal } from '../../core/error.ts'
import { epochMs, type Instant } from '../../core/time.ts'
import type { Wake } from '../../core/waking/wake-record.ts'
import { isHeld } from '../../core/workflows/instance.ts'
import { askToStop } from '../../wake/instance.ts'
import type { Chore } from '../../wake/wait.ts'
import { endLapsed } from '../../wake/wake-life.ts'
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
    const found = await Promise.all(asks.map((one) => standingOf(context, one)))
    looked = {
      stopped: found.flatMap(({ stopped }) => stopped),
      still: found.flatMap(({ still }) => still),
    }
    lapse = found.flatMap(({ lapses }) => lapses).sort()[0] ?? null
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

async function standingOf({ store }: Context, asked: StopAsked) {
  const held = await store.instance(asked.instance)
  const isOver = held === null || held.state === 'ended' || held.generation !== asked.generation
  const turns = await turnsOf(store, asked.ids)
  const busy = new Set(turns.map(({ agent_id }) => agent_id))
  const ended = held?.generation === asked.generation ? held.ended : ''
  const agents = asked.ids.map((name): StoppedAgent => ({ name, instance: asked.instance, ended }))
  const isDone = ({ name }: StoppedAgent) => !busy.has(name) && (isOver || !asked.isWhole)
  return {
    stopped: agents.filter(isDone),
    still: agents.filter((one) => !isDone(one)),
    lapses: [
      ...(isOver || !asked.isWhole || held.expires_at === null ? [] : [held.expires_at]),
      ...turns.map(({ expires_at }) => expires_at),
    ],
  }
}

/** The turns that nobody has ended yet. */
async function turnsOf(store: Context['store'], ids: string[]): Promise<Wake[]> {
  const last = await Promise.all(ids.map((agent) => store.wakes({ agent, limit: 1 })))
  return last.flat().filter(({ ended_at }) => ended_at === null)
}

/** To ask again for the end of a run that nobody holds ends it. No broker may be left to end the turns. */
async function endLost({ store, caller }: Context, asks: readonly StopAsked[]): Promise<void> {
  const now = await store.now()
  for (const { instance, generation, isWhole, ids } of asks) {
    for (const turn of await turnsOf(store, ids)) {
      if (turn.expires_at <= now) await endLapsed(store, turn)
    }
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
