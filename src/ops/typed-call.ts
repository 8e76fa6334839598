// The types of a call by name: what an operation takes and what it answers.

import type { CATALOGUE, OperationName } from './catalogue.ts'
import type { Fields, GivenInput } from './kit/field.ts'
import type { Operation } from './kit/operation.ts'
import type { AnswerNotes } from './stop.ts'

export type LoadedOperation<Name extends OperationName> = Awaited<
  ReturnType<(typeof CATALOGUE)[Name]>
>

export type CallInput<Name extends OperationName> =
  LoadedOperation<Name> extends Operation<infer F extends Fields, infer _> ? GivenInput<F> : never

export type OperationAnswer<Name extends OperationName> =
  LoadedOperation<Name> extends Operation<infer _, infer R> ? R & AnswerNotes : never
