// What an event of no thread does to the tables, and the row of the log that tells it.

import { AGENTS } from '../core/agents/agent-record.ts'
import type { StoreEvent } from '../core/event.ts'
import { evolveRecord } from '../core/record.ts'
import { toAgentRow } from './agents/agent-reads.ts'
import type { Write } from './session.ts'
import type { EventRow } from './thread-event-writes.ts'

export function storeWritesFor(event: StoreEvent): Write[] {
  const { facts, agent, at } = event
  switch (facts.type) {
    case 'agent_register':
      return [
        { query: 'agent_put', params: { ...toAgentRow(evolveRecord(AGENTS, null, facts, event)) } },
      ]
    case 'agent_declare': {
      const { agent_id, status } = facts
      return [{ query: 'agent_declare', params: { agent_id, status, at } }]
    }
    case 'person_add':
      return [{ query: 'person_put', params: { person_id: facts.person_id, added_at: at } }]
    case 'wake_start': {
      const { type: _, ...wake } = facts
      return [{ query: 'wake_insert', params: { ...wake, at } }]
    }
    case 'wake_end': {
      const { type: _, agent_id: __, ...wake } = facts
      return [{ query: 'wake_finish', params: { ...wake, at } }]
    }
    case 'workspace_add': {
      const { type: _, ...workspace } = facts
      return [{ query: 'workspace_put', params: { ...workspace, at } }]
    }
    case 'workspace_change': {
      const { type: _, ...workspace } = facts
      return [{ query: 'workspace_change', params: { ...workspace, at } }]
    }
    case 'workspace_remove':
      return [{ query: 'workspace_remove', params: { workspace_id: facts.workspace_id, at } }]
    case 'token_issue': {
      const { type: _, sets, ...token } = facts
      const issued = { issued_by: agent, issued_at: at, sets: sets.join(',') }
      return [{ query: 'token_insert', params: { ...token, ...issued } }]
    }
    case 'token_revoke':
      return [{ query: 'token_revoke', params: { token_id: facts.token_id, at } }]
  }
}

export function storeEventRow({
  agent,
  at,
  summary,
  facts: { type, ...facts },
}: StoreEvent): EventRow {
  return {
    run_id: '',
    task_id: '',
    thread_id: '',
    source: 'inbox',
    event_type: type,
    agent,
    status: '',
    message_id: null,
    summary,
    payload_json: JSON.stringify(facts),
    created_at: at,
    deliveries: [],
  }
}
