// What the catalogue holds, for whoever lists it: help, completion, hints, the reference.

import { loadAll } from '../../ops/catalogue.ts'
import type { Operation } from '../../ops/kit/operation.ts'

/** Every operation people are told of, in the catalogue's order; those of two words last, together. */
export async function operations(): Promise<Operation[]> {
  const ops = (await loadAll()).filter((op) => !op.internal)
  return [...ops.filter(({ name }) => !name.includes(' ')), ...[...grouped(ops).values()].flat()]
}

/** The operations of two words, under the first. */
export function grouped(ops: Operation[]): Map<string, Operation[]> {
  return Map.groupBy(
    ops.filter(({ name }) => name.includes(' ')),
    ({ name }) => name.split(' ')[0] as string,
  )
}
