// A call under a token does nothing once the token has ended, at whichever door and however long the call was
// under way. The runner alone asks, so no operation and no door can forget it.
//
// (1) Each write asks inside its own transaction (`writeWith` of the store). The log decides which came first,
//     the write or the revocation.
// (2) A call that reads asks together with its first reads, when all of its words have come in; after a wait it
//     asks again. A stream asks before each piece that it gives out.
// (3) A refusal is given only to a good token, too: it tells what is there.
// (4) A write that was committed is acknowledged. Where a call makes several and the token ends in between, the
//     refusal says that a part was done.
// (5) Work that follows the answer is the server's own: it notes what has gone out already.

import { CODES, Refusal } from '../core/error.ts'
import { type DoorWords, sentence } from '../core/sentence.ts'
import type { Store } from '../core/store.ts'
import { mustStillBeGood } from './identity/identify.ts'
import type { Context, Operation } from './kit/operation.ts'
import { isWait } from './kit/writes.ts'

/** A call that took no longer than this asks once. */
const MOMENT_MS = 250

type GuardedHouse = Partial<Pick<Context, 'store' | 'files'>>

export type TokenGuard = {
  /** The house as this call has it: what it writes and gives out asks first. */
  guard<H extends GuardedHouse>(house: H): H
  run<R>(context: Pick<Context, 'store'>, input: object, work: () => Promise<R>): Promise<R>
}

export function underToken(op: Operation, tokenId: string): TokenGuard {
  let hasWritten = false
  let isAnswered = false

  const guardStore = (store: Store): Store => {
    const held = store.writeWith(tokenId)
    const write: Store['write'] = async (work, idempotency) => {
      // (5)
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
        // (4) A mark may be made, and then the answer goes out.
        return op.writes === 'nothing' && performance.now() - startedAt > MOMENT_MS
      }
      // (2) A call that writes asks where it writes.
      const good = op.writes === 'store' ? undefined : mustStillBeGood(store, tokenId)
      // The work may be refused first.
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
  // (3)
  const ended = await endOf(store, tokenId, refusal)
  if (ended === null || !hasWritten) return ended ?? refusal
  // (4)
  const said = (words: DoorWords) => ended.inWords(words)
  return new Refusal(ended.code, sentence`${said}; what this call did before that stays`, {
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
