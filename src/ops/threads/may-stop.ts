// Decides who may end somebody's work, or tell somebody to stop, where the caller is known. At the shell
// and in the library a name proves nothing, so nothing is checked.

import type { Tx } from '../../core/store.ts'
import { mustHavePart, mustOutrank } from '../../core/threads/cascade.ts'
import type { Thread } from '../../core/threads/thread.ts'
import type { Context } from '../kit/operation.ts'

/** `thread` is the thread of the message; null when the message begins one. */
export async function mustMayStop(
  { caller: { principal } }: Context,
  tx: Tx,
  { thread, to }: { thread: Thread | null; to: string },
): Promise<void> {
  if (principal?.kind !== 'agent') return
  const from = principal.name
  const isTheirs = thread !== null && [thread.created_by, thread.assigned_to].includes(to)
  if (isTheirs && [thread.created_by, thread.assigned_to].includes(from)) return
  const agents = await tx.agents({})
  const role = agents.find(({ agent_id }) => agent_id === from)?.role ?? ''
  if (isTheirs) mustHavePart(agents, { from, role }, thread)
  else mustOutrank(agents, { from, role }, to)
}
