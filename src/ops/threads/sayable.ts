// What may be said on a thread of work, and to whom. An agent reaches a person as in mail: when it is the
// orchestrator, was granted it, or that person spoke first. Whoever made the thread, or wrote in it, is answered
// there without being asked. A word to stop is for those who have a part in the work to say.

import { isPerson, mustReachPeople } from '../../core/agents/agent.ts'
import type { Tx } from '../../core/store.ts'
import type { Thread } from '../../core/threads/thread.ts'
import type { MessageKind } from '../../core/vocabulary.ts'
import type { Context } from '../kit/operation.ts'
import { mustMayStop } from './may-stop.ts'

type Said = { from: string; to: string; kind: MessageKind }

/** Of what is said on a thread of work; `thread` is null when it begins one. */
export async function mustBeSayable(
  context: Context,
  tx: Tx,
  { from, to, kind }: Said,
  thread: Thread | null,
): Promise<void> {
  await mustReach(tx, { from, to }, thread)
  if (kind === 'control') await mustMayStop(context, tx, { thread, to })
}

async function mustReach(
  tx: Tx,
  { from, to }: Omit<Said, 'kind'>,
  thread: Pick<Thread, 'thread_id' | 'created_by'> | null,
): Promise<void> {
  if (!isPerson(to) || isPerson(from) || thread?.created_by === to) return
  const [agent, hasWritten] = await Promise.all([
    tx.agent(from),
    thread !== null && tx.hasWritten(thread.thread_id, to),
  ])
  if (hasWritten) return
  mustReachPeople(agent, from, to)
}
