// What an event does to the tables of people, wakes, workspaces and tokens.

import type { AgentFacts } from '../core/agents/agent.ts'
import type { StoreEvent, StoreFacts } from '../core/event.ts'
import type { Write } from './session.ts'

export function seldomWritesFor(
  facts: Exclude<StoreFacts, AgentFacts>,
  { agent, at }: Pick<StoreEvent, 'agent' | 'at'>,
): Write[] {
  switch (facts.type) {
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
