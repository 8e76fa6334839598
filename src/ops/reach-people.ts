// On a thread of work an agent reaches a person as in mail: when it is the orchestrator, was granted it, or
// that person spoke first. Whoever made the thread, or wrote in it, is answered there without being asked.

import { isPerson, mustReachPeople } from '../core/agent.ts'
import type { Tx } from '../core/store.ts'
import type { Thread } from '../core/thread.ts'

/** `thread` is the one it is said in; null when it begins one. */
export async function mustReach(
  tx: Tx,
  { from, to }: { from: string; to: string },
  thread: Pick<Thread, 'thread_id' | 'created_by'> | null,
): Promise<void> {
  if (!isPerson(to) || isPerson(from) || thread?.created_by === to) return
  const [agent, messages] = await Promise.all([
    tx.agent(from),
    thread === null ? [] : tx.messages(thread.thread_id),
  ])
  if (messages.some(({ from_agent }) => from_agent === to)) return
  mustReachPeople(agent, from, to)
}
