// What an agent is said to be, and what follows from it.

import { type AgentStatus, evolveAgent, isAvailable, type SeenAgent } from '../core/agent.ts'
import type { Tx } from '../core/store.ts'
import type { Instant } from '../core/time.ts'
import type { Context } from './operation.ts'

type Saying = { status: AgentStatus | undefined; by: string; now: Instant }

/** Records the word, if one was given; and whoever is available then takes what waits for its role. */
export async function declare(
  _context: Context,
  tx: Tx,
  before: SeenAgent,
  { status, by, now }: Saying,
): Promise<void> {
  let agent = before
  if (status !== undefined) {
    const facts = { type: 'agent_declare', agent_id: before.agent_id, status } as const
    tx.recordAgent({ agent: by, at: now, summary: status, facts })
    agent = { ...before, ...evolveAgent(before, facts, now) }
  }
  if (isAvailable(agent, now)) return
}
