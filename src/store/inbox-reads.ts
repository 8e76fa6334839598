// Agents and deliveries, read alike on both engines.

import type { Agent, SeenAgent } from '../core/agent.ts'
import type { Delivery } from '../core/delivery.ts'
import type { AgentNotes, InboxItem, Reads, Said } from '../core/store.ts'
import { first, type Session } from './session.ts'

/** An agent as it lies in its row: JSON as text, a flag as a number. */
export type AgentRow = Omit<Agent, 'wake' | 'may_write_to_user'> & {
  wake_json: string
  may_write_to_user: number
}

type SeenRow = AgentRow & Pick<SeenAgent, 'seen_at' | 'waiting_until' | 'leased_until'>

export function toAgentRow({ wake, may_write_to_user, ...agent }: Agent): AgentRow {
  return {
    ...agent,
    wake_json: JSON.stringify(wake),
    may_write_to_user: may_write_to_user ? 1 : 0,
  }
}

function toSeen({ wake_json, may_write_to_user, ...row }: SeenRow): SeenAgent {
  return { ...row, wake: JSON.parse(wake_json), may_write_to_user: may_write_to_user === 1 }
}

export function makeInboxReads(
  session: Session,
): Pick<Reads, 'agent' | 'agents' | 'hasPerson' | 'inbox' | 'deliveriesOf' | 'stopFor'> {
  const agents = async (filter: {
    agent_id?: string | undefined
    role?: string | undefined
    instance?: string | undefined
    parent?: string | undefined
  }) => {
    const { agent_id, role, instance, parent } = filter
    const rows = await session.all<SeenRow>('agents_seen', { agent_id, role, instance, parent })
    return rows.map(toSeen)
  }
  return {
    agent: async (agentId) => (await agents({ agent_id: agentId }))[0] ?? null,
    agents,
    async hasPerson(personId) {
      return (await session.all('person_get', { person_id: personId })).length > 0
    },
    inbox: ({ recipient, unreadOnly, after, since, kinds, limit }) =>
      session.all<InboxItem>(unreadOnly ? 'inbox_unread' : 'inbox_all', {
        recipient,
        after,
        since,
        kinds,
        limit,
      }),
    deliveriesOf: ({ message_id, thread_id }) =>
      session.all<Delivery>('deliveries_of_message', { message_id, thread_id }),
    stopFor: (recipient) => first(session.all<Delivery>('inbox_control', { recipient })),
  }
}

export async function readAgentNotes(session: Session, agentId?: string): Promise<AgentNotes> {
  const params = { agent_id: agentId }
  const [unread, said] = await Promise.all([
    session.all<{ agent_id: string; n: number }>('agents_unread', params),
    session.all<Said & { agent_id: string }>('agents_said', params),
  ])
  return {
    unread: new Map(unread.map(({ agent_id, n }) => [agent_id, n])),
    said: new Map(said.map(({ agent_id, ...words }) => [agent_id, words])),
  }
}
