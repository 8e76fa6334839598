// Whether a store takes writes, for whoever asks a server whether it is ready. Nothing but a write tells, and anybody may
// ask as often as they like: so what was found out is believed for a while, and asked again once a write was refused.

import { CODES, Refusal } from '../../core/error.ts'
import type { Store } from '../../core/store.ts'

const BELIEVED_MS = 5000
/** A store that takes nothing may soon be mended. */
const REFUSED_MS = 1000

export type Readiness = {
  /** Whether the store takes writes. */
  isReady: () => Promise<boolean>
  /** The store's own writes. One that the store refuses makes the next answer a new one. */
  writes: Pick<Store, 'write' | 'writeWith'>
}

export function makeReadiness(
  store: Pick<Store, 'write' | 'writeWith' | 'mustTakeWrites'>,
): Readiness {
  let asked: Promise<boolean> | undefined
  let believedUntil = 0
  const ask = async (): Promise<boolean> => {
    // Callers that ask meanwhile get the same answer.
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
