// One call by someone known, for every door of a server: look the operation up, ask whether this one may
// call it, doubt the words, run it. What is left to do once the answer is out is in `settle`.

import { CODES, Refusal, refuse } from '../core/error.ts'
import type { Principal } from '../core/principal.ts'
import { isOperation, loadOperation } from './catalogue.ts'
import { type Afterwards, makeAfterwards } from './kit/afterwards.ts'
import { authorise } from './kit/authorise.ts'
import { type Context, inputFor, type Operation } from './kit/operation.ts'
import { inTurn, mustHaveRoom } from './kit/share.ts'
import { notHere } from './kit/shell.ts'
import { isWait } from './kit/writes.ts'
import { perform } from './stop.ts'

/** What all calls to one store have in common. */
export type House = Omit<Context, 'caller' | 'door' | 'signal' | 'later' | 'isNotStopped' | 'shell'>

export type Called = { op: Operation; result: object; settle: Afterwards['settle'] }

/** A module that is loaded is still a promise to ask for, which counts where calls are many. */
const loaded = new Map<string, Operation>()

export async function operationNamed(name: string): Promise<Operation> {
  const known = loaded.get(name)
  if (known !== undefined) return known
  const op = isOperation(name) ? await loadOperation(name) : undefined
  if (op === undefined || op.internal) throw refuse('not_found', `there is no operation ${name}`)
  if (op.at !== undefined) throw notHere(name)
  loaded.set(name, op)
  return op
}

export async function call(
  house: House,
  want: {
    name: string
    principal: Principal
    raw: Record<string, unknown>
    door: Context['door']
    signal: AbortSignal
  },
): Promise<Called> {
  const { principal, door, signal } = want
  const op = await operationNamed(want.name)
  const raw = authorise(op, principal, want.raw)
  const caller = { agent: principal.name, principal }
  const input = inputFor(op, raw, caller)
  const { later, settle } = makeAfterwards()
  const context: Context = { ...house, caller, door, signal, later }
  const sharer = { store: house.store, principal }
  const work = () => perform(op, context, input)
  try {
    mustHaveRoom(sharer)
    const result = isLook(op, input) ? await inTurn(sharer, work) : await work()
    return { op, result, settle }
  } catch (error) {
    throw error instanceof Refusal ? await hiding(context, principal, input, error) : error
  }
}

/** What is there is asked for, and it is over soon. */
function isLook(op: Operation, input: object): boolean {
  return op.writes !== 'store' && !op.streams && !isWait(op, input)
}

/**
 * A thread that is not the caller's to see is refused as one that is not there, whatever else would be wrong
 * with it. Asked only of what was refused: what is not work is refused by every operation on threads.
 */
async function hiding(
  context: Context,
  principal: Principal,
  input: { thread?: unknown },
  refusal: Refusal,
): Promise<Refusal> {
  if (typeof input.thread !== 'string' || refusal.code === 'not_found') return refusal
  const found = CODES[refusal.code].http === 503 ? null : await context.store.thread(input.thread)
  if (found === null) return refusal
  try {
    const { mustSee } = await import('./inbox/visible-thread.ts')
    await mustSee(context, principal, found.thread)
    return refusal
  } catch (hidden) {
    if (hidden instanceof Refusal) return hidden
    throw hidden
  }
}
