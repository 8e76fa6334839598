// Runs a transaction up to its commit and undoes it, to see what it would do.

import type { Store, Tx } from '../../core/store.ts'

export async function rehearseWrite<T>(store: Store, work: (tx: Tx) => Promise<T>): Promise<T> {
  const done = new Rehearsal<T>()
  try {
    await store.write(async (tx) => {
      done.result = await work(tx)
      throw done
    })
  } catch (error) {
    if (error !== done) throw error
  }
  return done.result as T
}

/** An error undoes a transaction; this one marks the end of a rehearsal and is no failure. */
class Rehearsal<T> extends Error {
  result: T | undefined
}
