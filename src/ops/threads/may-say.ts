// Decides who may write to whom on a work thread. An agent reaches a person as in mail: if it is the
// orchestrator, was granted it, or that person spoke first. A person who made the thread, or wrote in it,
// may always be answered there.

import { isPerson, mustReachPeople } from '../../core/agents/agent.ts'
import { isClaimed } from '../../core/principal.ts'
import type { Tx } from '../../core/store.ts'
import type { Thread } from '../../core/threads/thread.ts'
import type { Context } from '../kit/operation.ts'

/** Checks a message on a work thread; `thread` is null when the message begins one. */
export async function mustMaySay(
  { caller }: Pick<Context, 'caller'>,
  tx: Tx,
  { from, to }: { from: string; to: string },
  thread: Pick<Thread, 'thread_id' | 'created_by'> | null,
): Promise<void> {
  if (!isPerson(to) || isPerson(from) || thread?.created_by === to) return
  const [agent, hasWritten] = await Promise.all([
    tx.agent(from),
    thread !== null && tx.hasWritten(thread.thread_id, to),
  ])
  if (hasWritten) return
  mustReachPeople({ from, agent, isClaimed: isClaimed(caller.principal) }, to)
}
