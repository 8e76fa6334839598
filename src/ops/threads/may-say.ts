// Decides who may write what to whom on a work thread. An agent reaches a person as in mail: if it is the
// orchestrator, was granted it, or that person spoke first. A person who made the thread, or wrote in it,
// may always be answered there. A word to stop is for those who have a part in the work.

import { isPerson, mustReachPeople } from '../../core/agents/agent.ts'
import type { Tx } from '../../core/store.ts'
import type { Thread } from '../../core/threads/thread.ts'
import type { MessageKind } from '../../core/vocabulary.ts'
import type { Context } from '../kit/operation.ts'
import { mustMayStop } from './may-stop.ts'

type Utterance = { from: string; to: string; kind: MessageKind }

/** Checks a message on a work thread; `thread` is null when the message begins one. */
export async function mustMaySay(
  context: Context,
  tx: Tx,
  { from, to, kind }: Utterance,
  thread: Thread | null,
): Promise<void> {
  await mustReach(tx, { from, to }, thread)
  if (kind === 'control') await mustMayStop(context, tx, { thread, to })
}

async function mustReach(
  tx: Tx,
  { from, to }: Omit<Utterance, 'kind'>,
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
