// Routes a workspace review to the person responsible. The walk begins at the run's agent and goes up from parent to
// parent: the first agent with a paired person leads to that person, and the first platform agent (source `system`)
// to the people's queue. If there is neither, the data about the agents is wrong, and the review goes to the queue
// with a warning.

import type { Agent } from '../agents/agent.ts'

/** The most parents that the walk goes up from the run's agent. */
const MOST_PARENTS = 8
const SYSTEM_SOURCE = 'system'

/** How the walk ended. All but the first two are unrouted. */
export const ROUTINGS = [
  'person',
  'system',
  'no_parent',
  'missing_parent',
  'cycle',
  'too_deep',
] as const
export type RouteEnd = (typeof ROUTINGS)[number]

export type ReviewRoute = {
  routing: RouteEnd
  /** Empty if the review is for all people. */
  person: string
  /** The agent where the walk ended. */
  ended_at: string
}

type Link = Pick<Agent, 'agent_id' | 'parent_agent_id' | 'paired_person' | 'source'>

/** The next step of the walk: its end, or the agent to look at next. */
export function stepUp(agentId: string, chain: readonly Link[]): ReviewRoute | { ask: string } {
  const last = chain.at(-1)
  if (last === undefined) return { ask: agentId }
  const { agent_id: ended_at, parent_agent_id: parent, paired_person, source } = last
  const end = (routing: RouteEnd, person = '') => ({ routing, person, ended_at })
  if (paired_person !== null) return end('person', paired_person)
  if (source === SYSTEM_SOURCE) return end('system')
  if (parent === null) return end('no_parent')
  if (chain.some(({ agent_id }) => agent_id === parent)) return end('cycle')
  if (chain.length > MOST_PARENTS) return end('too_deep')
  return { ask: parent }
}

export function isUnrouted(routing: RouteEnd): boolean {
  return routing !== 'person' && routing !== 'system'
}

const WHY: Record<RouteEnd, string> = {
  person: '',
  system: '',
  no_parent: 'no agent above it works with a person or belongs to the platform',
  missing_parent: 'an agent above it is not known',
  cycle: 'the agents above it form a circle',
  too_deep: `more than ${MOST_PARENTS} agents are above it`,
}

/** A warning for the person who decides; empty if the review was routed. */
export function routeWarning(agentId: string, routing: RouteEnd): string {
  if (!isUnrouted(routing)) return ''
  return `no one is responsible for ${agentId}: ${WHY[routing]}; check the agent before you decide`
}
