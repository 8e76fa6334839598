// Lists the catalogue for help, completion, hints and the reference.

import { loadAll } from '../../ops/catalogue.ts'
import type { Operation } from '../../ops/kit/operation.ts'

/** All listed operations in the catalogue's order; those of two words come last, together. */
export async function operations(): Promise<Operation[]> {
  const ops = (await loadAll()).filter((op) => !op.internal)
  return [...ops.filter(({ name }) => !name.includes(' ')), ...[...grouped(ops).values()].flat()]
}

/** The operations of two words, under their first word. */
export function grouped(ops: Operation[]): Map<string, Operation[]> {
  return Map.groupBy(
    ops.filter(({ name }) => name.includes(' ')),
    ({ name }) => name.split(' ')[0] as string,
  )
}
