// Gives the queue of a role that had no available member to the first member that arrives.

import { queueOf } from '../../core/agents/address.ts'
import { type Agent, type SeenAgent, statusOf } from '../../core/agents/agent.ts'
import type { InboxHead } from '../../core/inbox/inbox-reads.ts'
import { takeFromQueue } from '../../core/mail/mail.ts'
import type { Reads, Tx } from '../../core/store.ts'
import type { Instant } from '../../core/time.ts'

/** How many messages are taken at a time. The next call takes more. */
const MOST = 500

/** Runs in the transaction in which the agent arrives. Returns how many messages it took. */
export async function takeRoleQueue(tx: Tx, agent: SeenAgent, now: Instant): Promise<number> {
  if (agent.role === '' || statusOf(agent, now) === 'off') return 0
  const from = queueOf(agent.role)
  const waiting = await queued(tx, agent, MOST)
  if (waiting.length === 0) return 0
  const held = await tx.lockAll(waiting.map(({ thread_id }) => thread_id))
  const locks = new Map(held.map((lock) => [lock.state.thread.thread_id, lock]))
  let count = 0
  // Read again under the locks, because another member may have been faster. They're in the order they were sent.
  for (const { thread_id, message_id, seq, kind, expires_at } of await queued(tx, agent, MOST)) {
    const lock = locks.get(thread_id)
    if (lock === undefined) continue
    // Record one event per message, because the event's id is the new delivery's place in the inbox.
    const taken = [{ message_id, seq, kind, expires_at }]
    const want = { recipient: agent.agent_id, from, taken }
    tx.record(lock.state, takeFromQueue(lock.state.thread, want, lock.now))
    count += 1
  }
  return count
}

export async function hasRoleQueue(reads: Reads, agent: Agent): Promise<boolean> {
  return agent.role !== '' && (await queued(reads, agent, 1)).length > 0
}

/** Leaves out what the agent itself sent: an agent that writes to its own role wants a different member of it. */
function queued(reads: Reads, { role, agent_id }: Agent, limit: number): Promise<InboxHead[]> {
  return reads.heads({ recipient: queueOf(role), after: 0, notFrom: agent_id, limit })
}
