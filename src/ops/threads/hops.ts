import type { Tx } from '../../core/store.ts'
import type { Words } from '../../core/threads/message.ts'

/**
 * A message that an agent writes in a turn is one hop further from a person's words than the mail that woke
 * it.
 */
export async function addHops(tx: Tx, agent: string, words: Words): Promise<Words> {
  return withHops(words, (await tx.runningWake(agent))?.hops)
}

/** The same, when the hops of the agent's turn were read already. */
export function withHops(words: Words, hops: number | null | undefined): Words {
  return hops == null ? words : { ...words, hops: hops + 1 }
}
