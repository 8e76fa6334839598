// What the supervisor of a turn does for an agent of a workflow: it marks as read what the agent was shown, and ends the
// turn when it is no longer wanted.

import type { SeenAgent } from '../../core/agents/agent.ts'
import type { InboxHead } from '../../core/inbox/inbox-reads.ts'
import { epochMs, type Instant } from '../../core/time.ts'
import { type HeldInstance, isToStop } from '../../core/workflows/instance.ts'
import { type Chore, waitFor } from '../../wake/wait.ts'
import { markMessages } from '../inbox/mark-messages.ts'
import type { Context } from '../kit/operation.ts'

/**
 * Waits until the turn should be canceled: its agent was turned off or told to stop, the run has ended, or the runner's
 * lease lapsed. The supervisor does this, because it outlives the runner. Resolves with the reason; never resolves if
 * the turn ends normally.
 */
export async function waitForCancel(
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

/** The shortest wait, in case the store's clock hasn't moved on yet. */
const MOMENT_MS = 50

/** Null while the turn may continue. */
function reasonToEnd(
  instance: HeldInstance | null,
  { agent, generation, now }: { agent: string; generation: number | undefined; now: Instant },
): string | null {
  if (instance === null) return 'its instance is not there any more'
  if (isToStop(instance, agent)) return 'it was asked to stop'
  if (instance.state === 'ended') return `its run has ended (${instance.ended})`
  if (instance.generation !== generation) return 'another runner has taken over its instance'
  if (instance.expires_at === null || instance.expires_at <= now) {
    return 'its runner stopped responding'
  }
  return null
}

const PAGE = 200

/**
 * After a turn that ended well, marks as read the mail that the agent was shown by its supervisor or through its own
 * calls. In a channel, nothing else shows what was read, because an entry doesn't act on any message.
 */
export async function readInTurn(
  context: Context,
  agent: string,
  { given, since }: { given: readonly { event_id: number }[]; since: Instant },
): Promise<void> {
  const ids = new Set(given.map(({ event_id }) => event_id))
  const wasShown = ({ event_id, presented_at }: InboxHead) =>
    ids.has(event_id) || (presented_at !== null && presented_at >= since)
  for (let after = 0; ; ) {
    const page = await context.store.heads({ recipient: agent, after, limit: PAGE })
    const shown = page.filter(wasShown)
    if (shown.length > 0) {
      await context.store.write(async (tx) => {
        await markMessages(context, tx, agent, shown, 'turn')
        return {}
      })
    }
    const last = page.at(-1)
    if (last === undefined || page.length < PAGE) return
    after = last.event_id
  }
}
