// Calls the operations for one GraphQL request. Every field reaches the store through this module, as the caller the
// transport identified, so only the operations decide who may do what.

import { refuse } from '../../../core/error.ts'
import { lettersIn } from '../../../core/page-bytes.ts'
import type { AnswerNotes } from '../../../ops/answer-notes.ts'
import { operationNamed } from '../../../ops/known-caller.ts'
import { resultOf } from '../ops-route.ts'
import type { IdentifiedCall } from '../route.ts'

/** The maximum number of operations that one document can call. */
const MOST_CALLS = 100
/** The maximum number of items in all lists of a document. No other caller is served while they're encoded. */
const MOST_ITEMS = 1000
/** Once this many characters have been read, no further read starts. `MOST_GIVEN` limits what is sent. */
const MOST_READ = 16_000_000
const MOST_GIVEN = 4_000_000

export type GraphCall = {
  tenant: string
  /** The notes of the results so far, most importantly the one that tells the caller to stop. */
  notes: AnswerNotes
  /** Runs one call after another, so that a document's results aren't all produced at the same time. */
  ask: <Answer extends object>(name: string, raw: RawInput) => Promise<Answer>
  list: (limit: number) => void
  /** Counts a value that is sent. With aliases, the same value can be sent many times. */
  spend: (value: unknown) => void
}

type RawInput = Record<string, unknown>

export function makeGraphCall(asked: IdentifiedCall): GraphCall {
  let calls = 0
  let read = 0
  let spent = 0
  let items = 0
  const notes: AnswerNotes = {}
  let before: Promise<unknown> = Promise.resolve()
  const perform = async (name: string, raw: RawInput): Promise<object> => {
    const op = await operationNamed(name)
    // Writes run no matter how much was read before.
    if (op.writes === 'nothing') mustFit(read, MOST_READ)
    const answer: AnswerNotes = await resultOf(asked, op, dropNulls(raw))
    if (answer.stop !== undefined) notes.stop = answer.stop
    if (answer.warning !== undefined) notes.warning = answer.warning
    read += lettersIn(answer)
    return answer
  }
  return {
    tenant: asked.served.id,
    notes,
    async ask<Answer extends object>(name: string, raw: RawInput) {
      calls += 1
      if (calls > MOST_CALLS)
        throw refuse.invalid_input`this asks for more than ${MOST_CALLS} things at once; ask for fewer items, or in several requests`
      const turn = before.then(() => perform(name, raw))
      before = turn.catch(() => {})
      return (await turn) as Answer
    },
    list(limit) {
      items += Math.max(0, limit)
      if (items <= MOST_ITEMS) return
      throw refuse.invalid_input`the lists of this document have room for ${items} items, by their limit; at most ${MOST_ITEMS} are listed at once`
    },
    spend(value) {
      spent += lettersIn(value)
      mustFit(spent, MOST_GIVEN)
    },
  }
}

function mustFit(letters: number, most: number): void {
  if (letters <= most) return
  throw refuse.invalid_input`the answer has more than ${most} characters; ask for fewer items or fields`
}

/** GraphQL uses null for values that were left out. */
function dropNulls(raw: RawInput): RawInput {
  return Object.fromEntries(Object.entries(raw).filter(([, value]) => value != null))
}
