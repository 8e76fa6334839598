// The calls that one GraphQL request may make of operations. Every field reaches the store through here, as the caller that the
// transport shows, so that who may do what is decided by the operations alone.

import { refuse } from '../../../core/error.ts'
import { lettersIn } from '../../../core/page-bytes.ts'
import { operationNamed } from '../../../ops/known-caller.ts'
import { resultOf } from '../ops-route.ts'
import type { IdentifiedCall } from '../route.ts'

/** The most calls of operations that one document may cause. */
const MOST_CALLS = 100
/** The most text that they may answer with: some pages of the longest lists. */
const MOST_LETTERS = 16_000_000

export type GraphCall = {
  tenant: string
  ask: <Answer extends object>(name: string, raw: RawInput) => Promise<Answer>
}

type RawInput = Record<string, unknown>

export function makeGraphCall(asked: IdentifiedCall): GraphCall {
  let calls = 0
  let letters = 0
  return {
    tenant: asked.served.id,
    async ask<Answer extends object>(name: string, raw: RawInput) {
      calls += 1
      if (calls > MOST_CALLS) {
        throw refuse(
          'invalid_input',
          `this asks for more than ${MOST_CALLS} things at once; ask for fewer items, or in several requests`,
        )
      }
      const op = await operationNamed(name)
      const answer = await resultOf(asked, op, given(raw))
      letters += lettersIn(answer)
      // A write is done, however long the answers before it were.
      if (letters > MOST_LETTERS && op.writes === 'nothing') {
        throw refuse(
          'invalid_input',
          `the answer has more than ${MOST_LETTERS} characters; ask for fewer items or fields`,
        )
      }
      return answer as Answer
    },
  }
}

/** GraphQL says null where a value was left out. */
function given(raw: RawInput): RawInput {
  return Object.fromEntries(Object.entries(raw).filter(([, value]) => value != null))
}
