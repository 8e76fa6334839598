// Decides who may stop whom, and in which order: a cancel reaches an agent and everything it started,
// leaves first, so that no agent is left working for one that is gone.

import { type Agent, isPerson, ORCHESTRATOR } from '../agents/agent.ts'
import { refuse } from '../error.ts'
import type { Thread } from './thread.ts'

type AgentWithParent = Pick<Agent, 'agent_id' | 'parent_agent_id'>

/** People and the orchestrator may stop any agent, others only those below them. */
export function mustOutrank(
  agents: readonly AgentWithParent[],
  sender: { from: string; role: string },
  target: string,
): void {
  const { from, role } = sender
  if (isPerson(from) || role === ORCHESTRATOR || isBelow(agents, target, from)) return
  throw refuse(
    'forbidden',
    `${from} may not cancel ${target}, which it did not start; ask orchestrator to do it`,
  )
}

/**
 * A work thread may be ended by the agent that asked for it, by the one that does it, and by anyone who may
 * stop one of these.
 */
export function mustHavePart(
  agents: readonly AgentWithParent[],
  { from, role }: { from: string; role: string },
  { thread_id, created_by, assigned_to }: Pick<Thread, 'thread_id' | 'created_by' | 'assigned_to'>,
): void {
  const parties = [...new Set([created_by, assigned_to])]
  if (isPerson(from) || role === ORCHESTRATOR || parties.includes(from)) return
  if (parties.some((party) => isBelow(agents, party, from))) return
  throw refuse(
    'forbidden',
    `${from} has no part in thread ${thread_id}; ${parties.join(' or ')} may stop it, whoever is above them, orchestrator or a person`,
    { thread_id },
  )
}

function isBelow(agents: readonly AgentWithParent[], agentId: string, above: string): boolean {
  const parents = new Map(agents.map((agent) => [agent.agent_id, agent.parent_agent_id]))
  const seen = new Set([agentId])
  for (let at = parents.get(agentId); at != null && !seen.has(at); at = parents.get(at)) {
    if (at === above) return true
    seen.add(at)
  }
  return false
}

/** The targets and all agents below them; each comes after everyone it started. */
export function leavesFirst(
  agents: readonly AgentWithParent[],
  targets: readonly string[],
): string[] {
  const children = Map.groupBy(agents, ({ parent_agent_id }) => parent_agent_id)
  const order: string[] = []
  const seen = new Set<string>()
  const visit = (agentId: string) => {
    if (seen.has(agentId)) return
    seen.add(agentId)
    for (const child of children.get(agentId) ?? []) visit(child.agent_id)
    order.push(agentId)
  }
  for (const target of targets) visit(target)
  return order
}
