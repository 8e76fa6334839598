import { type Agent, type SeenAgent, USER } from '../../core/agents/agent.ts'
import type {
  AgentFilter,
  AgentNotes,
  AgentReads,
  KnownAgent,
  LatestWordsIn,
} from '../../core/agents/agent-reads.ts'
import { AGENTS } from '../../core/agents/agent-record.ts'
import type { Turn } from '../../core/pushes/push.ts'
import type { Querier } from '../querier.ts'
import { type StoredRow, toItem } from '../record-row.ts'

export function makeAgentReads(querier: Querier): AgentReads {
  const agents = async (filter: AgentFilter & { agent_id?: string; creator_of?: string }) => {
    const { agent_id, creator_of, role, instance, parent, after, limit } = filter
    const params = { agent_id, creator_of, role, instance, parent, after, limit }
    type Row = StoredRow & Omit<SeenAgent, keyof Agent>
    return (await querier.all<Row>('agents_seen', params)).map((row) => toItem(AGENTS, row))
  }
  return {
    agent: async (agentId) => (await agents({ agent_id: agentId }))[0] ?? null,
    creatorOf: async (threadId) => (await agents({ creator_of: threadId }))[0] ?? null,
    agents,
    knownAgents: async (names) =>
      names.length === 0 ? [] : querier.all<KnownAgent>('agents_known', { agents: names }),
    async unseenAgents(limit) {
      return (await querier.all('agents_unseen', { limit })).length
    },
    turnsOf: (agent_id) => querier.all<Turn>('turns_of', { agent_id }),
    async offWithMail(limit) {
      const rows = await querier.all<{ agent_id: string }>('agents_off_with_mail', { limit })
      return rows.map(({ agent_id }) => agent_id)
    },
    async hasPerson(personId) {
      return (await querier.all('person_get', { person_id: personId })).length > 0
    },
    async people() {
      const rows = await querier.all<{ person_id: string }>('people_all', {})
      return [...new Set([USER, ...rows.map(({ person_id }) => person_id)])]
    },
  }
}

export async function readAgentNotes(
  querier: Querier,
  first: string,
  last: string,
): Promise<AgentNotes> {
  const params = { first, last }
  const [unread, said] = await Promise.all([
    querier.all<{ agent_id: string; n: number }>('agents_unread', params),
    querier.all<LatestWordsIn & { agent_id: string }>('agents_said', params),
  ])
  return {
    unread: new Map(unread.map(({ agent_id, n }) => [agent_id, n])),
    said: new Map(said.map(({ agent_id, ...words }) => [agent_id, words])),
  }
}
