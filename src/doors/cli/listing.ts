// Lists the catalogue for help, completion, hints and the reference.

import { loadAll } from '../../ops/catalogue.ts'
import type { Operation } from '../../ops/kit/operation.ts'

/** All listed operations in the catalogue's order. */
export async function operations(): Promise<Operation[]> {
  return (await loadAll()).filter((op) => !op.internal)
}

/** The operations of two words, under their first word. */
export function groupByFirst(ops: Operation[]): Map<string, Operation[]> {
  return Map.groupBy(
    ops.filter(({ name }) => name.includes(' ')),
    ({ name }) => name.split(' ')[0] as string,
  )
}
