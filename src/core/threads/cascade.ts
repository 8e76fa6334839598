// Determines who may stop whom, and in which order. A cancel reaches an agent and every agent it started, leaves first,
// so that no agent keeps working for one that has been stopped.

import { isRole, queueOf } from '../agents/address.ts'
import { type Agent, isPerson, ORCHESTRATOR } from '../agents/agent.ts'
import { operation, refuse } from '../error.ts'
import type { Thread } from './thread.ts'

type AgentWithParent = Pick<Agent, 'agent_id' | 'parent_agent_id'>
type RankedAgent = AgentWithParent & Pick<Agent, 'role'>
type CancelSender = { from: string; role: string }

/**
 * People may stop any agent, the orchestrator any other agent, and agents only those below them. Only a person can
 * stop the orchestrator, wherever it is in the tree.
 */
export function mustOutrank(
  agents: readonly RankedAgent[],
  sender: CancelSender,
  target: string,
): void {
  if (stopsAnyone(sender)) return
  const { from } = sender
  if (roleOf(agents, target) === ORCHESTRATOR)
    throw refuse.forbidden`${from} may not cancel ${target}, which is the orchestrator; a person may`
  if (isBelow(agents, target, from)) return
  throw refuse.forbidden`${from} may not cancel ${target}, which it did not start; ask orchestrator to do it`
}

/**
 * A work thread may be canceled by the agent that asked for it, its assignee, and any agent above either. Work for a
 * role counts as sent to the member that claimed it or, while it's unclaimed, to every member. Claiming work that was
 * sent to another agent gives no right to cancel it.
 */
export function mustHavePart(
  agents: readonly RankedAgent[],
  from: string,
  thread: Pick<Thread, 'thread_id' | 'created_by' | 'assigned_to'> & { sent_to: string },
): void {
  const { thread_id, created_by, assigned_to, sent_to } = thread
  const isAsked = (name: string) => name === sent_to || queueOf(roleOf(agents, name)) === sent_to
  const isFree = isRole(assigned_to)
  if (stopsAnyone({ from, role: roleOf(agents, from) }) || (isFree && isAsked(from))) return
  const parties = [...new Set([created_by, sent_to, assigned_to])].filter(
    (name) => name === created_by || isAsked(name),
  )
  if (parties.some((party) => party === from || isBelow(agents, party, from))) return
  const others = `only ${parties.join(' or ')}, an agent above them, the orchestrator or a person may cancel it`
  throw assigned_to === from
    ? refuse.forbidden`thread ${{ thread_id }} was not sent to ${from}; ${others}. Give it up with ${operation('fail', { thread: thread_id })}`
    : refuse.forbidden`${from} has no part in thread ${{ thread_id }}; ${others}`
}

function stopsAnyone({ from, role }: CancelSender): boolean {
  return isPerson(from) || role === ORCHESTRATOR
}

function roleOf(agents: readonly RankedAgent[], name: string): string {
  return agents.find(({ agent_id }) => agent_id === name)?.role ?? ''
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

/**
 * Every agent that a cancel of these targets reaches: the targets and all agents below them, each after those it
 * started. If the caller may not stop the orchestrator, the cancel doesn't reach it through another agent either.
 */
export function findReached(
  agents: readonly RankedAgent[],
  sender: CancelSender,
  targets: readonly string[],
): string[] {
  const order = leavesFirst(agents, targets)
  if (stopsAnyone(sender)) return order
  return order.filter((name) => roleOf(agents, name) !== ORCHESTRATOR)
}

/** The targets and all agents below them, each after the agents it started. */
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
