// Agents and people, read alike on both engines.

import type { Agent, SeenAgent } from '../../core/agents/agent.ts'
import type {
  AgentFilter,
  AgentNotes,
  AgentReads,
  KnownAgent,
  LatestWordsIn,
} from '../../core/agents/agent-reads.ts'
import type { Turn } from '../../core/pushes/push.ts'
import type { Session } from '../session.ts'

/** An agent as it lies in its row: JSON as text, a flag as a number. */
type AgentRow = Omit<Agent, 'wake' | 'may_write_to_user'> & {
  wake_json: string
  may_write_to_user: number
}

type SeenRow = AgentRow & Pick<SeenAgent, 'seen_at' | 'waiting_until' | 'leased_until'>

function toAgent<Row extends AgentRow>({ wake_json, may_write_to_user, ...row }: Row) {
  return { ...row, wake: JSON.parse(wake_json), may_write_to_user: may_write_to_user === 1 }
}

export function makeAgentReads(session: Session): AgentReads {
  const agents = async (filter: AgentFilter & { agent_id?: string }) => {
    const { agent_id, role, instance, parent, after, limit } = filter
    const params = { agent_id, role, instance, parent, after, limit }
    return (await session.all<SeenRow>('agents_seen', params)).map(toAgent)
  }
  return {
    agent: async (agentId) => (await agents({ agent_id: agentId }))[0] ?? null,
    agents,
    knownAgents: async (names) =>
      names.length === 0 ? [] : session.all<KnownAgent>('agents_known', { agents: names }),
    turnsOf: (agent_id) => session.all<Turn>('turns_of', { agent_id }),
    async offWithMail(limit) {
      const rows = await session.all<{ agent_id: string }>('agents_off_with_mail', { limit })
      return rows.map(({ agent_id }) => agent_id)
    },
    async hasPerson(personId) {
      return (await session.all('person_get', { person_id: personId })).length > 0
    },
    async people() {
      const rows = await session.all<{ person_id: string }>('people_all', {})
      return rows.map(({ person_id }) => person_id)
    },
  }
}

export async function readAgentNotes(
  session: Session,
  first: string,
  last: string,
): Promise<AgentNotes> {
  const params = { first, last }
  const [unread, said] = await Promise.all([
    session.all<{ agent_id: string; n: number }>('agents_unread', params),
    session.all<LatestWordsIn & { agent_id: string }>('agents_said', params),
  ])
  return {
    unread: new Map(unread.map(({ agent_id, n }) => [agent_id, n])),
    said: new Map(said.map(({ agent_id, ...words }) => [agent_id, words])),
  }
}
