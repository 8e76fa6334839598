// A unit of work may find something that is to be done before it, in a transaction of its own, so that a refusal of the
// work does not undo it. Then the work throws DoFirst, and begins again afterwards.

import type { Context } from './operation.ts'

export class DoFirst extends Error {
  readonly first: (context: Context) => Promise<unknown>

  constructor(first: DoFirst['first']) {
    super('something is to be done before this')
    this.first = first
  }
}

/** Each round has less to do first, so the work comes to its end. */
export async function doingFirst<T>(context: Context, work: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await work()
    } catch (error) {
      if (!(error instanceof DoFirst)) throw error
      await error.first(context)
    }
  }
}
