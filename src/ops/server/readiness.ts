// Whether a store accepts writes, for a server's readiness check. Only an actual write can show that, and callers can
// ask as often as they like, so the result is cached for a while, or until a write is refused.

import { CODES, Refusal } from '../../core/error.ts'
import type { Store } from '../../core/store.ts'

const BELIEVED_MS = 5000
/** A refusal is cached for less time, because the store may recover soon. */
const REFUSED_MS = 1000

export type Readiness = {
  isReady: () => Promise<boolean>
  /** The store's writes. If the store refuses one, the next `isReady` checks again. */
  writes: Pick<Store, 'write' | 'writeWith'>
}

export function makeReadiness(
  store: Pick<Store, 'write' | 'writeWith' | 'mustTakeWrites'>,
): Readiness {
  let asked: Promise<boolean> | undefined
  let believedUntil = 0
  const ask = async (): Promise<boolean> => {
    // Callers that ask while the check is running share its result.
    believedUntil = Number.POSITIVE_INFINITY
    const isReady = await store.mustTakeWrites().then(
      () => true,
      (error) => {
        if (error instanceof Refusal) return false
        throw error
      },
    )
    believedUntil = performance.now() + (isReady ? BELIEVED_MS : REFUSED_MS)
    return isReady
  }
  const noting = (write: Store['write']): Store['write'] => {
    return async (work, idempotency) => {
      try {
        return await write(work, idempotency)
      } catch (error) {
        const isStores = error instanceof Refusal && CODES[error.code].http === 503
        if (isStores && believedUntil !== Number.POSITIVE_INFINITY) believedUntil = 0
        throw error
      }
    }
  }
  return {
    isReady() {
      if (asked === undefined || performance.now() > believedUntil) {
        asked = ask().catch((error) => {
          believedUntil = 0
          throw error
        })
      }
      return asked
    },
    writes: {
      write: noting(store.write),
      writeWith: (tokenId) => noting(store.writeWith(tokenId)),
    },
  }
}
