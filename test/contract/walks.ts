// The number of random walks, and their seed. The suite always runs the same walks, so that the same source gives the
// same results: 6 of each kind, and 24 more with `npm run test:full`. MAILROOM_WALKS sets another number with random
// seeds, and MAILROOM_WALK_SEED repeats one.

import { extentAsked } from '../worlds/extent.ts'
import { type Engine, emptiedStore, freshStore, type TestStore } from '../worlds/store.ts'
import { makeStore } from '../worlds/world.ts'

const { MAILROOM_WALKS, MAILROOM_WALK_SEED } = process.env
const numRuns = Number(MAILROOM_WALKS ?? (extentAsked() === 'full' ? 30 : 6))
const seed = MAILROOM_WALK_SEED ?? (MAILROOM_WALKS === undefined ? 1 : undefined)

export const WALKS = {
  numRuns,
  // Stops shrinking early enough to report the failure with its seed before the test times out.
  interruptAfterTimeLimit: 200_000 + numRuns * 1000,
  markInterruptAsFailure: true,
  ...(seed === undefined ? {} : { seed: Number(seed) }),
}

export const WALKS_LIMIT_MS = 300_000 + numRuns * 2000

/** A fresh store for one walk. */
export async function storeToWalk(engine: Engine): Promise<TestStore> {
  if (engine === 'postgres') return emptiedStore(makeStore)
  const store = await freshStore(engine)
  await makeStore(store.address)
  return store
}
