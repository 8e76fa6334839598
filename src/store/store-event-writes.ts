// What an event of no thread does to the tables, and the row of the log that tells it.

import { evolveAgent } from '../core/agents/agent.ts'
import type { StoreEvent } from '../core/event.ts'
import { toAgentRow } from './agents/agent-reads.ts'
import { seldom } from './seldom.ts'
import type { Write } from './session.ts'
import type { EventRow } from './threads/thread-writes.ts'

export function storeWritesFor(event: StoreEvent): Write[] {
  const { facts, at } = event
  switch (facts.type) {
    case 'agent_register':
      return [{ query: 'agent_put', params: { ...toAgentRow(evolveAgent(null, facts, at)) } }]
    case 'agent_declare': {
      const { agent_id, status } = facts
      return [{ query: 'agent_declare', params: { agent_id, status, at } }]
    }
    default:
      return seldom().seldomWritesFor(facts, event)
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
