// The record of an agent, as stored in the log. Sightings are kept outside the log.

import type { StoreRecord } from '../record.ts'
import {
  AGENT,
  choice,
  type FactsOf,
  FLAG,
  INSTANT,
  nullOr,
  PERSON,
  pick,
  type Shape,
  text,
  word,
} from '../shape.ts'
import { isRoleName } from './address.ts'
import { AGENT_STATUSES, type Agent, type WakeSettings } from './agent.ts'

const WAKE: Shape<WakeSettings> = { is: 'wake_settings' }

export const AGENT_FIELDS = {
  agent_id: AGENT,
  role: word('a role', (role) => role === '' || isRoleName(role)),
  /** The part of the id after the @; empty for an agent outside any instance. */
  instance: text({ orEmpty: true }),
  parent_agent_id: nullOr(AGENT),
  paired_person: nullOr(PERSON),
  source: text({ max: 64 }),
  declared_status: nullOr(choice(AGENT_STATUSES)),
  declared_at: nullOr(INSTANT),
  may_write_to_user: FLAG,
  wake: WAKE,
  registered_at: INSTANT,
  updated_at: INSTANT,
}

export type AgentFields = Pick<
  Agent,
  'role' | 'parent_agent_id' | 'paired_person' | 'source' | 'may_write_to_user' | 'wake'
>

const FACTS = {
  agent_register: {
    ...pick(AGENT_FIELDS, 'agent_id', 'role', 'parent_agent_id', 'paired_person'),
    ...pick(AGENT_FIELDS, 'source', 'may_write_to_user', 'wake'),
  },
  agent_declare: { agent_id: AGENT, status: choice(AGENT_STATUSES) },
}
export type AgentFacts = FactsOf<typeof FACTS>

export const AGENTS: StoreRecord<Agent, AgentFacts> = {
  table: 'agents',
  one: 'agent',
  key: 'agent_id',
  fields: AGENT_FIELDS,
  facts: FACTS,
  events: {
    agent_register: {
      makes: (facts, { at }) => ({
        ...facts,
        instance: instanceOf(facts.agent_id),
        registered_at: at,
        updated_at: at,
      }),
      keeps: ['declared_status', 'declared_at', 'registered_at'],
    },
    agent_declare: {
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
