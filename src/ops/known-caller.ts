// Handles calls by identified callers. They can call what the catalogue allows, within their quota. They learn nothing
// about threads they may not see, and nothing at all once their token has expired or been revoked.

import { CODES, type DoorWords, Refusal, refuse, sentence } from '../core/error.ts'
import type { Principal } from '../core/principal.ts'
import type { Store } from '../core/store.ts'
import { isOperation, loadOperation } from './catalogue.ts'
import { mustStillBeGood } from './identity/identify.ts'
import { authorise } from './kit/authorise.ts'
import { type Context, isWait, type Operation } from './kit/operation.ts'
import { mustTakeAnswers, runInTurn } from './kit/quota.ts'
import { notHere } from './kit/shell.ts'

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

/** Whether this is a short call that only reads. */
function isLook(op: Operation, input: object): boolean {
  return op.writes !== 'store' && !op.streams && !isWait(op, input)
}

/**
 * A thread the caller may not see is refused as if it didn't exist, even if the call has other faults. Checking after a
 * refusal is enough, because operations on threads refuse every thread that isn't work.
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

export async function operationNamed(name: string): Promise<Operation> {
  const op = isOperation(name) ? await loadOperation(name) : undefined
  if (op === undefined || op.internal) throw refuse.not_found`there is no operation ${name}`
  if (op.at !== undefined) throw notHere(name)
  return op
}

// Once a token has expired or been revoked, calls made with it have no effect, at any door and however long they've
// been running. Only the runner checks this, so operations and doors can't forget to.
// (1) Each write checks the token inside its own transaction (`writeWith` of the store). The log decides which came
//     first, the write or the revocation.
// (2) A call that reads checks the token together with its first reads, once all of its input has arrived. After a wait
//     it checks again. A stream checks before each piece it sends.
// (3) Even a refusal is given only if the token is valid, because a refusal reveals what exists.
// (4) A committed write is acknowledged. If the token ends between two writes of a call, the refusal says that part of
//     the call was done.
// (5) Work after the answer is done by the server and needs no token: it records what has already been sent.

/** A read that takes no longer than this checks the token only once. */
const MOMENT_MS = 250

type GuardedHouse = Partial<Pick<Context, 'store' | 'files'>>

export type TokenGuard = {
  /** Returns the house for this call, which checks the token before each write and each piece of streamed output. */
  guard<H extends GuardedHouse>(house: H): H
  run<R>(context: Pick<Context, 'store'>, input: object, work: () => Promise<R>): Promise<R>
}

export function underToken(op: Operation, tokenId: string): TokenGuard {
  let hasWritten = false
  let isAnswered = false

  const guardStore = (store: Store): Store => {
    const held = store.writeWith(tokenId)
    const write: Store['write'] = async (work, idempotency) => {
      // (5) Work after the answer doesn't need a token.
      if (isAnswered) return store.write(work, idempotency)
      const written = await held(work, idempotency)
      hasWritten = true
      return written
    }
    return { ...store, write }
  }
  return {
    guard(house) {
      const { store, files } = house
      if (store === undefined) return house
      const write = async (text: string) => {
        await mustStillBeGood(store, tokenId)
        await files?.write(text)
      }
      const own = files === undefined || !op.streams ? {} : { files: { ...files, write } }
      return { ...house, ...own, store: guardStore(store) }
    },

    async run({ store }, input, work) {
      const startedAt = performance.now()
      const mustAskAgain = (): boolean => {
        if (op.writes === 'store') return !hasWritten
        if (op.streams || isWait(op, input)) return true
        // (4) An operation that may have made a mark isn't checked again, so its answer is returned.
        return op.writes === 'nothing' && performance.now() - startedAt > MOMENT_MS
      }
      // (2) A call that writes checks inside its transactions.
      const good = op.writes === 'store' ? undefined : mustStillBeGood(store, tokenId)
      // Avoids an unhandled rejection if the work is refused before this is awaited.
      good?.catch(() => {})
      try {
        const result = await work()
        await good
        if (mustAskAgain()) await mustStillBeGood(store, tokenId)
        return result
      } catch (error) {
        throw error instanceof Refusal ? await refusalFor(store, tokenId, error, hasWritten) : error
      } finally {
        isAnswered = true
      }
    },
  }
}

async function refusalFor(
  store: Store,
  tokenId: string,
  refusal: Refusal,
  hasWritten: boolean,
): Promise<Refusal> {
  // (3) Give this refusal only if the token is valid.
  const ended = await endOf(store, tokenId, refusal)
  if (ended === null || !hasWritten) return ended ?? refusal
  // (4) Say that part of the call was done.
  const refusalText = (words: DoorWords) => ended.inWords(words)
  return new Refusal(ended.code, sentence`${refusalText}; what this call did before that stays`, {
    ...ended.details,
    done_in_part: true,
  })
}

async function endOf(store: Store, tokenId: string, refusal: Refusal): Promise<Refusal | null> {
  if (refusal.code === 'unauthenticated') return refusal
  if (CODES[refusal.code].http === 503) return null
  return mustStillBeGood(store, tokenId).then(
    () => null,
    (error) => (error instanceof Refusal && error.code === 'unauthenticated' ? error : null),
  )
}
