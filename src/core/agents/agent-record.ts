// The record of an agent: what the log says of it. Sightings are outside the log.

import { AGENT, choice, FLAG, nullOr, PERSON, type Shape, text, word } from '../fact-shape.ts'
import type { StoreRecord } from '../record.ts'
import { isRoleName } from './address.ts'
import { AGENT_STATUSES, type Agent, type AgentStatus, type WakeSettings } from './agent.ts'

export type AgentFields = Pick<
  Agent,
  'role' | 'parent_agent_id' | 'paired_person' | 'source' | 'may_write_to_user' | 'wake'
>

export type AgentFacts =
  | ({ type: 'agent_register'; agent_id: string } & AgentFields)
  | { type: 'agent_declare'; agent_id: string; status: AgentStatus }

const WAKE: Shape<WakeSettings> = { is: 'wake_settings' }

export const AGENTS: StoreRecord<Agent, AgentFacts> = {
  table: 'agents',
  one: 'agent',
  key: 'agent_id',
  columns: {
    agent_id: 'plain',
    role: 'plain',
    instance: 'plain',
    parent_agent_id: 'plain',
    paired_person: 'plain',
    source: 'plain',
    declared_status: 'plain',
    declared_at: 'plain',
    may_write_to_user: 'flag',
    wake: { json: 'wake_json' },
    registered_at: 'plain',
    updated_at: 'plain',
  },
  events: {
    agent_register: {
      facts: {
        agent_id: AGENT,
        role: word('a role', (role) => role === '' || isRoleName(role)),
        parent_agent_id: nullOr(AGENT),
        paired_person: nullOr(PERSON),
        source: text({ max: 64 }),
        may_write_to_user: FLAG,
        wake: WAKE,
      },
      makes: ({ type: _, ...fields }, { at }) => ({
        instance: instanceOf(fields.agent_id),
        declared_status: null,
        declared_at: null,
        registered_at: at,
        updated_at: at,
        ...fields,
      }),
      keeps: ['declared_status', 'declared_at', 'registered_at'],
    },
    agent_declare: {
      facts: { agent_id: AGENT, status: choice(AGENT_STATUSES) },
      changes: ({ status }, { at }) => ({
        declared_status: status,
        declared_at: at,
        updated_at: at,
      }),
      latestIn: 'declared_at',
    },
  },
}

function instanceOf(agentId: string): string {
  const at = agentId.indexOf('@')
  return at < 0 ? '' : agentId.slice(at + 1)
}
