// Says what a call may change, by its words as well as by its operation.

import type { Operation } from './operation.ts'

/** Whether a call may sleep until something happens. */
export function isWait({ blocks, fields }: Operation, input: object): boolean {
  const { timeout_seconds: given = 0 } = input as { timeout_seconds?: number }
  return blocks === true && (fields.timeout_seconds?.default !== undefined || given > 0)
}

/**
 * Whether a call makes the store where there is none. An agent that waits for mail is known from then on,
 * which is more than a mark. A call about something by its id finds nothing in an empty store, and a dry
 * run keeps nothing: for them, as for looks, an empty store in memory does as well.
 */
export function makesStore(op: Operation, input: object & { dry_run?: boolean }): boolean {
  const isAboutOne = Object.keys(input).some((key) => op.fields[key]?.kind === 'id')
  const keeps = op.writes === 'store' || (op.writes === 'marks' && isWait(op, input))
  return keeps && !isAboutOne && !input.dry_run
}
