// Checks whether an agent can be placed below the agent that started it.

import type { Agent } from '../agents/agent.ts'
import { refuse } from '../error.ts'

/** How many levels deep agents may start agents. There's a limit because a cancel goes all the way down. */
const MOST_LEVELS = 64

/** Refuses a parent that would create a cycle, or make the tree too deep with all the agents below this one. */
export function mustFitBelow(
  parent: string,
  agentId: string,
  agents: readonly Pick<Agent, 'agent_id' | 'parent_agent_id'>[],
): void {
  const parents = new Map(agents.map((agent) => [agent.agent_id, agent.parent_agent_id]))
  if (!parents.has(parent))
    throw refuse.not_found`there is no agent ${parent} to be its parent; register it first`
  let depth = 1
  for (let at: string | null = parent; at !== null; at = parents.get(at) ?? null) {
    if (at === agentId)
      throw refuse.invalid_state`${agentId} cannot be below ${parent}, which is below ${agentId} itself; choose another parent`
    depth += 1
  }
  let level = [agentId]
  for (let height = 0; level.length > 0; height += 1) {
    if (depth + height > MOST_LEVELS)
      throw refuse.invalid_state`${agentId} would be ${depth + height} levels deep below ${parent}; at most ${MOST_LEVELS} are possible`
    const above = new Set(level)
    level = agents
      .filter(({ parent_agent_id }) => parent_agent_id !== null && above.has(parent_agent_id))
      .map(({ agent_id }) => agent_id)
  }
}
