// A door that handles the calls it can express. All others go through the library, as if made by a person.

import { CODES } from '../../src/index.ts'
import { loadOperation, type OperationName } from '../../src/ops/catalogue.ts'
import type { Operation } from '../../src/ops/kit/operation.ts'
import { CallBook } from './calls.ts'
import { type Door, inboxOf, libraryDoor, type Place } from './doors.ts'

export type Input = Record<string, unknown>

export type Way<Spoken> = {
  /** Undefined if the call should go through the library. */
  spoken: (
    op: string,
    operation: Operation,
    input: Input,
    agent: string | undefined,
  ) => Spoken | undefined
  /** Returns the result, or throws `Refused`. */
  ask: (op: string, spoken: Spoken) => Promise<object>
  close: () => Promise<void>
}

export function besideLibrary<Spoken>(place: Place, { spoken, ask, close }: Way<Spoken>): Door {
  const library = libraryDoor(place)
  const exits = new WeakMap<object, number>()
  const book = new CallBook()
  const call = async (op: string, input: Input, agent: string | undefined, extras?: object) => {
    const operation = await loadOperation(op as OperationName)
    const own = extras === undefined ? spoken(op, operation, input, agent) : undefined
    if (own === undefined) {
      const client = library.inbox(agent) as unknown as Record<
        string,
        (...all: unknown[]) => Promise<object>
      >
      const answer = await client[camelCase(op)]?.(input, extras)
      exits.set(answer as object, library.exitOf(answer as object))
      return answer as object
    }
    const result = await book.note(operation, input, agent, () => ask(op, own))
    const code = operation.verdict?.(result)
    exits.set(result, code ? CODES[code].exit : operation.nothing?.(result) ? 10 : 0)
    return result
  }
  return {
    ...library,
    inbox: (agent) => inboxOf(call, agent),
    exitOf: (answer) => exits.get(answer) ?? library.exitOf(answer),
    calls: () => book.calls,
    async close() {
      await close()
      await library.close()
    },
  }
}

function camelCase(name: string): string {
  return name.replace(/[- ](\w)/g, (_, letter: string) => letter.toUpperCase())
}
