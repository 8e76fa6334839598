// What waits in the queue of a role, nobody of which was available, goes to the first who comes.

import { queueOf } from '../core/address.ts'
import { type Agent, type SeenAgent, statusOf } from '../core/agent.ts'
import { take } from '../core/mail.ts'
import type { InboxItem, Reads, Tx } from '../core/store.ts'
import type { Instant } from '../core/time.ts'

/** At most so many at a time; the next time takes the rest. */
const MOST = 500

/** Inside the transaction in which the agent came. Gives back how many it took. */
export async function takeQueued(tx: Tx, agent: SeenAgent, now: Instant): Promise<number> {
  if (agent.role === '' || statusOf(agent, now) === 'off') return 0
  const from = queueOf(agent.role)
  const threads = byThread(await queued(tx, from))
  if (threads.size === 0) return 0
  const ids = [...threads.keys()].sort()
  const locked = await Promise.all(ids.map((threadId) => tx.lock(threadId)))
  // Under the locks: whoever was faster has them.
  const left = byThread(await queued(tx, from))
  let count = 0
  for (const lock of locked) {
    const items = lock && left.get(lock.state.thread.thread_id)
    if (!items) continue
    // One event for each: its id is the place of the new delivery in the inbox.
    for (const { message_id, seq, kind, expires_at } of items) {
      const taken = [{ message_id, seq, kind, expires_at }]
      const want = { recipient: agent.agent_id, from, taken }
      tx.record(lock.state, take(lock.state.thread, want, lock.now))
      count += 1
    }
  }
  return count
}

/** Whether something waits for this agent's role. */
export async function hasQueued(reads: Reads, { role }: Agent): Promise<boolean> {
  return role !== '' && (await reads.unread(queueOf(role), 1)) > 0
}

function queued(tx: Tx, recipient: string): Promise<InboxItem[]> {
  return tx.inbox({ recipient, unreadOnly: true, after: 0, limit: MOST })
}

function byThread(items: InboxItem[]): Map<string, InboxItem[]> {
  return Map.groupBy(items, ({ thread_id }) => thread_id)
}
