import { field, operation, quote, refuse } from '../../core/error.ts'
import type { Reads } from '../../core/store.ts'

const MOST = 5

/**
 * Finds the one thread the agent holds, for a call that doesn't name a thread. This runs inside the unit of work: a
 * retry repeats the original input, and is answered before it gets here.
 */
export async function findHeldThread(reads: Pick<Reads, 'held'>, agent: string): Promise<string> {
  const held = await reads.held(agent, MOST + 1)
  const [only] = held
  if (only !== undefined && held.length === 1) return only.thread_id
  const which = held.slice(0, MOST).map((one) => `${one.thread_id} ${quote(one.subject)}`)
  const more = held.length > MOST ? ' and more' : ''
  throw only === undefined
    ? refuse.invalid_input`${agent} holds no thread; name one, or take one with ${operation('claim', { agent })}`
    : refuse.invalid_input`${field('thread')} is missing: ${agent} holds ${which.join(', ')}${more}`
}
