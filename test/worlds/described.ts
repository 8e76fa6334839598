// Checks that every answer has exactly the names in its description.

import { ANSWER_NOTES } from '../../src/ops/answer-notes.ts'
import type { AnswerValue, Holds } from '../../src/ops/kit/answer.ts'
import type { Operation } from '../../src/ops/kit/operation.ts'

export function mustBeAsDescribed({ name, answer: holds }: Operation, answer: object): void {
  const wrong = [...misfits({ ...ANSWER_NOTES, ...holds }, answer, name)]
  if (wrong.length > 0)
    throw new Error(`the answer of ${name} does not match its description: ${wrong.join('; ')}`)
}

function* misfits(holds: Holds, given: object, at: string): Generator<string> {
  for (const name of Object.keys(given)) {
    if (!Object.hasOwn(holds, name)) yield `${at} has ${name}, which is not described`
  }
  for (const [name, value] of Object.entries(holds)) {
    const part = (given as Record<string, unknown>)[name]
    if (part !== undefined) yield* misfit(value, part, `${at}.${name}`)
    else if (!value.optional) yield `${at} has no ${name}`
  }
}

function* misfit(value: AnswerValue, given: unknown, at: string): Generator<string> {
  if (given === null) {
    if (!value.orNull && value.type !== 'any') yield `${at} is null`
  } else if (value.type === 'list') {
    if (!Array.isArray(given)) yield `${at} is no list`
    else for (const one of given) yield* misfit(value.of as AnswerValue, one, `${at}[]`)
  } else if (value.type === 'record') {
    if (typeof given !== 'object') yield `${at} is no record`
    else yield* misfits(value.record?.holds ?? {}, given, at)
  } else if (value.type !== 'any' && typeof given !== TYPES[value.type]) {
    yield `${at} is ${typeof given}, and not ${value.type}`
  }
}

const TYPES = { text: 'string', number: 'number', boolean: 'boolean' }
