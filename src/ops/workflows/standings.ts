// How the agents of an instance stand at a moment.

import { statusOf } from '../../core/agents/agent.ts'
import type { Reads } from '../../core/store.ts'
import type { Instant } from '../../core/time.ts'
import { type HeldInstance, hasStopped, isHeld } from '../../core/workflows/instance.ts'
import type { WorkflowAgent } from './workflow-list.ts'

export type MemberStanding = Pick<WorkflowAgent, 'status' | 'unread'>

/** In the order of the members. */
export function standingsOf(
  store: Reads,
  instance: HeldInstance,
  now: Instant,
): Promise<MemberStanding[]> {
  return Promise.all(
    instance.members.map(async ({ agent_id }) => {
      const [agent, unread] = await Promise.all([store.agent(agent_id), store.unread(agent_id)])
      const own = agent === null ? 'idle' : statusOf(agent, now)
      return { unread, status: statusIn(instance, agent_id, own, now) }
    }),
  )
}

function statusIn(
  instance: HeldInstance,
  agentId: string,
  own: ReturnType<typeof statusOf>,
  now: Instant,
): MemberStanding['status'] {
  if (instance.state === 'ended') return 'ended'
  if (!isHeld(instance, now)) return 'lost'
  if (own === 'running') return own
  return own === 'off' || hasStopped(instance, agentId, own) ? 'stopped' : 'idle'
}
