// The calls that went through a door, and how each ended. A sentence proves an operation at a door (test/at-doors.ts)
// only if its proof made that call there.

import type { Operation } from '../../src/ops/kit/operation.ts'
import { Refused } from './refused.ts'

export const OUTCOMES = ['success', 'refusal', 'empty', 'retry'] as const
export type Outcome = (typeof OUTCOMES)[number]

export type DoorCall = { op: string; outcome: Outcome }

type Words = Record<string, unknown>

export class CallBook {
  readonly calls: DoorCall[] = []
  /** Answered calls with a key, to recognize their retries. */
  readonly #answered = new Set<string>()

  /** Makes the call and records how it ended. A call that fails without a refusal is not recorded. */
  async note<Answer extends object>(
    op: Operation,
    input: Words,
    agent: string | undefined,
    call: () => Promise<Answer>,
  ): Promise<Answer> {
    try {
      const answer = await call()
      this.calls.push({ op: op.name, outcome: this.#outcomeOf(op, input, agent, answer) })
      return answer
    } catch (error) {
      if (error instanceof Refused) this.calls.push({ op: op.name, outcome: 'refusal' })
      throw error
    }
  }

  #outcomeOf(op: Operation, input: Words, agent: string | undefined, answer: object): Outcome {
    if (isEmpty(op, answer)) return 'empty'
    if (input.idempotency_key === undefined) return 'success'
    const call = JSON.stringify([op.name, input, agent])
    if (this.#answered.has(call)) return 'retry'
    this.#answered.add(call)
    return 'success'
  }
}

/** Whether an operation can have an empty answer: no work, no mail, or an empty list. */
export function canBeEmpty(op: Operation): boolean {
  return op.nothing !== undefined || firstList(op) !== undefined
}

function isEmpty(op: Operation, answer: object): boolean {
  if (op.nothing !== undefined) return op.nothing(answer)
  const list = firstList(op)
  return list !== undefined && (answer as Record<string, unknown[]>)[list]?.length === 0
}

/** The list that a query's answer starts with, which is what the caller asked for. */
function firstList({ answer, writes }: Operation): string | undefined {
  const [first, value] = Object.entries(answer)[0] ?? []
  return writes === 'nothing' && value?.type === 'list' ? first : undefined
}
