// A turn of a workflow's agent is called off when nobody wants it any more: its agent was turned off, somebody asked for a
// stop, the run has ended, or its runner was not heard of for the time of its lease. The supervisor asks, because it
// outlives the runner.

import type { SeenAgent } from '../../core/agents/agent.ts'
import { epochMs, type Instant } from '../../core/time.ts'
import { type HeldInstance, isToStop } from '../../core/workflows/instance.ts'
import { type Chore, waitFor } from '../../wake/wait.ts'
import type { Context } from '../kit/operation.ts'

/** Resolves with the reason; never, if the turn ends by itself. */
export async function whenCalledOff(
  { store, bell }: Pick<Context, 'store' | 'bell'>,
  agent: SeenAgent,
  signal: AbortSignal,
): Promise<string> {
  const name = agent.wake.runner ?? ''
  const first = await store.instance(name)
  let lapses: Instant | null = null
  const look = async () => {
    const [instance, seen, now] = await Promise.all([
      store.instance(name),
      store.agent(agent.agent_id),
      store.now(),
    ])
    lapses = instance?.expires_at ?? null
    if (seen?.declared_status === 'off') return `${agent.agent_id} was turned off`
    return reasonToEnd(instance, { agent: agent.agent_id, generation: first?.generation, now })
  }
  const clock: Chore = {
    async dueMs() {
      if (lapses === null) return null
      return Math.max(MOMENT_MS, epochMs(lapses) - epochMs(await store.now()))
    },
    run: async () => {},
  }
  const waiting = { bell, look, lookout: store.lookout(), chores: [clock], timeoutMs: 0, signal }
  const found = await waitFor(waiting)
  return found.outcome === 'found' ? found.value : new Promise(() => {})
}

/** The clock of a store may stand still for a moment. */
const MOMENT_MS = 50

/** Null while the turn is wanted. */
function reasonToEnd(
  instance: HeldInstance | null,
  { agent, generation, now }: { agent: string; generation: number | undefined; now: Instant },
): string | null {
  if (instance === null) return 'its instance is not there any more'
  if (isToStop(instance, agent)) return 'somebody asked it to stop'
  if (instance.state === 'ended') return `its run has ended (${instance.ended})`
  if (instance.generation !== generation) return 'another runner has taken over its instance'
  if (instance.expires_at === null || instance.expires_at <= now) {
    return 'its runner was not heard of any more'
  }
  return null
}
