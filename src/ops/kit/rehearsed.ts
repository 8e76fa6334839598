// What a transaction would do, without doing it: it runs up to the commit, and is then undone.

import type { Store, Tx } from '../../core/store.ts'

export async function rehearsed<T>(store: Store, work: (tx: Tx) => Promise<T>): Promise<T> {
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

/** A transaction is undone by an error; this one is none. */
class Rehearsal<T> extends Error {
  result: T | undefined
}
