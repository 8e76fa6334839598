// A call by somebody whom a server knows. Such a caller may call what the catalogue says, has its share of the
// server, learns nothing of threads that are not its own to see, and nothing at all once its token has ended.

import { CODES, Refusal, refuse } from '../core/error.ts'
import type { Principal } from '../core/principal.ts'
import { isOperation, loadOperation } from './catalogue.ts'
import { authorise } from './kit/authorise.ts'
import type { Context, Operation } from './kit/operation.ts'
import { mustTakeAnswers, runInTurn } from './kit/quota.ts'
import { notHere } from './kit/shell.ts'
import { isWait } from './kit/writes.ts'
import { underToken } from './under-token.ts'

export function knownCaller(op: Operation, principal: Principal) {
  const { token_id } = principal
  const token = token_id === undefined ? undefined : underToken(op, token_id)
  return {
    caller: { agent: principal.name, principal },
    authorised: (raw: Record<string, unknown>) => authorise(op, principal, raw),
    guard: <H extends object>(house: H): H => token?.guard(house) ?? house,
    async run<R>(context: Context, input: object, work: () => Promise<R>): Promise<R> {
      const holder = { store: context.store, principal }
      const inTurn = async () => {
        try {
          mustTakeAnswers(holder)
          return isLook(op, input) ? await runInTurn(holder, work) : await work()
        } catch (error) {
          throw error instanceof Refusal
            ? await hideUnseen(context, principal, input, error)
            : error
        }
      }
      return token === undefined ? inTurn() : token.run(context, input, inTurn)
    },
  }
}

/** A call that asks what is there, and is over soon. */
function isLook(op: Operation, input: object): boolean {
  return op.writes !== 'store' && !op.streams && !isWait(op, input)
}

/**
 * A thread that the caller may not see is refused as if it did not exist, whatever else would be wrong with
 * the call. This is checked only after a refusal: every operation on threads refuses what is not work.
 */
async function hideUnseen(
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

/** Even a loaded module costs a promise, which counts where calls are many. */
const loaded = new Map<string, Operation>()

/** Finds an operation that servers offer, by its name. */
export async function operationNamed(name: string): Promise<Operation> {
  const known = loaded.get(name)
  if (known !== undefined) return known
  const op = isOperation(name) ? await loadOperation(name) : undefined
  if (op === undefined || op.internal) throw refuse('not_found', `there is no operation ${name}`)
  if (op.at !== undefined) throw notHere(name)
  loaded.set(name, op)
  return op
}
