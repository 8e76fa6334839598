// What callers see of an agent.

import { type Agent, type SeenAgent, type Standing, standingOf } from '../core/agent.ts'
import type { AgentNotes, Said } from '../core/store.ts'
import type { Instant } from '../core/time.ts'

export type AgentView = Agent & {
  /** From evidence where there is some, else as declared. */
  status: Standing['status']
  evidence: Pick<Standing, 'by' | 'at'> &
    Pick<SeenAgent, 'seen_at' | 'waiting_until' | 'leased_until'>
  unread: number
  /** Its latest word on its progress. */
  said: Said | null
}

export function viewAgent(agent: SeenAgent, notes: AgentNotes, now: Instant): AgentView {
  const { seen_at, waiting_until, leased_until, ...known } = agent
  const { status, by, at } = standingOf(agent, now)
  return {
    ...known,
    status,
    evidence: { by, at, seen_at, waiting_until: waiting_until || null, leased_until },
    unread: notes.unread.get(agent.agent_id) ?? 0,
    said: notes.said.get(agent.agent_id) ?? null,
  }
}
