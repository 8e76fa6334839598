import type { Tx } from '../../core/store.ts'
import type { Words } from '../../core/threads/message.ts'

/** What an agent says in a turn is one wake further from a person's words than what it was woken for. */
export async function inTurn(tx: Tx, agent: string, words: Words): Promise<Words> {
  return withHops(words, (await tx.runningWake(agent))?.hops)
}

/** The same where the hops of its turn, if it is in one, were asked already. */
export function withHops(words: Words, hops: number | null | undefined): Words {
  return hops == null ? words : { ...words, hops: hops + 1 }
}
