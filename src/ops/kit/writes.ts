// What a call may change, by its words as well as by its operation.

import type { Operation, Writes } from './operation.ts'

/** Whether a call may sleep until something happens. */
export function isWait({ blocks, fields }: Operation, input: object): boolean {
  const { timeout_seconds: given = 0 } = input as { timeout_seconds?: number }
  return blocks === true && (fields.timeout_seconds?.default !== undefined || given > 0)
}

/** Who waits for mail is known from then on: that is more than a mark. */
export function writesOf(op: Operation, input: object): Writes {
  return op.writes === 'marks' && isWait(op, input) ? 'store' : op.writes
}
