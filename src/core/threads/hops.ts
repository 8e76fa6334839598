import { isPerson } from '../agents/agent.ts'
import type { Message } from './message.ts'

/**
 * A person's words have no hops. An agent's have as many as the message they answer, or one more than the
 * mail that woke it: so two agents that wake each other reach the limit.
 */
export function hopsOf(
  from: string,
  answered: Pick<Message, 'hops'> | null,
  ofTurn: number | null,
): number {
  if (isPerson(from)) return 0
  return Math.max(answered?.hops ?? 0, ofTurn === null ? 0 : ofTurn + 1)
}
