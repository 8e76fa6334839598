import { type AgentStatus, isAvailable, type SeenAgent } from '../../core/agents/agent.ts'
import { AGENTS } from '../../core/agents/agent-record.ts'
import { Refusal } from '../../core/error.ts'
import { evolveRecord } from '../../core/record.ts'
import type { Tx } from '../../core/store.ts'
import type { Instant } from '../../core/time.ts'
import { takeRoleQueue } from '../inbox/role-queue.ts'
import { bounce, bounceRest } from '../inbox/tell-senders.ts'
import { aNumber, CURSOR } from '../kit/answer.ts'
import type { Context } from '../kit/operation.ts'
import { AGENT } from './agent-view.ts'

type StatusDeclaration = { status: AgentStatus | undefined; by: string; now: Instant }

/** How many messages the agent took from its role's queue, and how many of its unread ones bounced. */
export type MailMoves = { taken: number; bounced: number }

/** The answer fields of operations that can move mail. */
export const MAIL_MOVES = {
  agent: AGENT,
  taken: aNumber("how many messages it took from its role's queue"),
  bounced: aNumber('how many messages bounced to their senders'),
  next_event_id: CURSOR,
}

/** Waits for the declaration, then bounces any mail that didn't fit into one transaction. */
export async function finishDeclaring<Answer extends MailMoves & { next_event_id: number }>(
  context: Context,
  { agent, status }: { agent: string; status?: AgentStatus | undefined },
  saying: Promise<Answer>,
): Promise<Answer> {
  const moved = await saying
  if (status !== 'off' || (await context.store.unread(agent)) === 0) return moved
  // The declaration stands even if the token has since become invalid. A sweep bounces the remaining mail.
  const rest = await bounceRest(context, agent).catch((error) => {
    if (error instanceof Refusal && error.code === 'unauthenticated') return 0
    throw error
  })
  const next_event_id = await context.store.lastEventId()
  return { ...moved, bounced: moved.bounced + rest, next_event_id }
}

/**
 * Records the status, if given. If the agent is then available, it takes its role's queue. If it's off, its unread mail
 * bounces and the senders are notified.
 */
export async function declare(
  context: Context,
  tx: Tx,
  before: SeenAgent,
  { status, by, now }: StatusDeclaration,
): Promise<MailMoves> {
  let agent = before
  if (status !== undefined) {
    const facts = { type: 'agent_declare', agent_id: before.agent_id, status } as const
    tx.recordStoreEvent({ agent: by, at: now, summary: status, facts })
    agent = { ...before, ...evolveRecord(AGENTS, before, facts, { agent: by, at: now }) }
  }
  const recipient = agent.agent_id
  if (status === 'off') {
    const want = { recipient, reason: `${recipient} is off`, now }
    return { taken: 0, bounced: (await bounce(context, tx, want)).bounced }
  }
  return { taken: isAvailable(agent, now) ? await takeRoleQueue(tx, agent, now) : 0, bounced: 0 }
}
