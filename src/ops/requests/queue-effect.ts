import { queueEffect } from '../../core/requests/effect.ts'
import { EFFECT_COMMANDS } from '../../core/requests/effect-command-record.ts'
import type { Request } from '../../core/requests/request-record.ts'
import type { LockedThread, Tx } from '../../core/store.ts'

/** Queues the effect of an approval, if its type has a command. `state` is that after the approval. */
export async function queueIfSet(
  tx: Tx,
  { state, now }: LockedThread,
  { request_type }: Request,
  by: string,
): Promise<void> {
  const command = await tx.rowOf(EFFECT_COMMANDS, request_type)
  if (command === null || command.removed_at !== null) return
  tx.record(state, queueEffect(state, by, now))
}
