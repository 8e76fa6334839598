// How many random walks there are, and which. The suite takes the same ones every time, so that it says of
// two equal trees the same: 10 of each kind, and with `npm run test:full` 20 more. MAILROOM_WALKS takes so many others,
// and MAILROOM_WALK_SEED repeats them.

import { afterAll } from 'bun:test'
import { extentAsked } from '../worlds/extent.ts'
import {
  dropSpares,
  type Engine,
  emptiedStore,
  freshStore,
  type TestStore,
} from '../worlds/store.ts'
import { makeStore } from '../worlds/world.ts'

const { MAILROOM_WALKS, MAILROOM_WALK_SEED } = process.env
const numRuns = Number(MAILROOM_WALKS ?? (extentAsked() === 'full' ? 30 : 10))
const seed = MAILROOM_WALK_SEED ?? (MAILROOM_WALKS === undefined ? 1 : undefined)

export const WALKS = {
  numRuns,
  // A failure is shrunk for a while and then told, with its seed, instead of timing out.
  interruptAfterTimeLimit: 200_000 + numRuns * 1000,
  markInterruptAsFailure: true,
  ...(seed === undefined ? {} : { seed: Number(seed) }),
}

export const WALKS_LIMIT_MS = 300_000 + numRuns * 2000

/** A store that is made and empty, for one walk. */
export async function storeToWalk(engine: Engine): Promise<TestStore> {
  if (engine === 'postgres') return emptiedStore(makeStore)
  const store = await freshStore(engine)
  await makeStore(store.address)
  return store
}

afterAll(dropSpares)
