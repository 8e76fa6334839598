// Decides who may cancel work, where the caller is known. At the shell and in the library a name proves
// nothing, so nothing is checked.

import type { SeenAgent } from '../../core/agents/agent.ts'
import { isClaimed } from '../../core/principal.ts'
import type { Tx } from '../../core/store.ts'
import { mustHavePart } from '../../core/threads/cascade.ts'
import type { Thread } from '../../core/threads/thread.ts'
import type { Context } from '../kit/operation.ts'

export async function mustMayCancel(
  { caller: { principal } }: Context,
  tx: Tx,
  thread: Thread,
): Promise<void> {
  if (principal?.kind !== 'agent' || principal.name === thread.created_by) return
  const [agents, [first]] = await Promise.all([
    tx.agents({}),
    tx.messages(thread.thread_id, { after: 0, limit: 1 }),
  ])
  // The assignee may have come by claiming; the first message says who was asked.
  const sent_to = first?.to_agent ?? thread.assigned_to
  const asBelieved = (agent: SeenAgent) =>
    agent.agent_id === principal.name && isClaimed(principal) ? { ...agent, role: '' } : agent
  mustHavePart(agents.map(asBelieved), principal.name, { ...thread, sent_to })
}
