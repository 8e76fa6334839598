// What an operation answers, as data: the names, what each holds, and what it is. It stands beside the
// operations and not in them, because a command must not load what only readers need; the compiler holds the two
// together, name by name and type by type, and the behaviours compare every answer they get.

import type { CATALOGUE, OperationName } from '../catalogue.ts'
import type { Operation } from './operation.ts'

/** One value. `V` is its type in the program. */
export type Value<V = unknown> = {
  type: 'text' | 'number' | 'boolean' | 'list' | 'record' | 'any'
  about: string
  /** Null stands for none. */
  orNull?: true
  /** Left out where there is none. */
  optional?: true
  /** What a list holds. */
  of?: Value
  /** What a record holds, and what it is called: the same record is described once. */
  record?: { name: string; holds: Holds }
  readonly value?: V
}

export type Holds = Record<string, Value>
type Optional<V> = Value<V> & { optional: true }

// A result may have one of several forms; a name that one of them lacks is optional.
type Names<R> = R extends unknown ? keyof R : never
type At<R, K> = R extends unknown ? (K extends keyof R ? R[K] : undefined) : never

/** Which texts a text may be is said in words, not in its type. */
type Plain<V> = V extends string
  ? string
  : V extends boolean
    ? boolean
    : V extends readonly (infer One)[]
      ? Plain<One>[]
      : V

export type HoldsOf<R> = {
  [K in Names<R>]: unknown extends At<R, K>
    ? Value
    : undefined extends At<R, K>
      ? Optional<Plain<Exclude<At<R, K>, undefined>>>
      : Value<Plain<At<R, K>>>
}

export type Result<Name extends OperationName> =
  Awaited<ReturnType<(typeof CATALOGUE)[Name]>> extends Operation<infer _, infer R> ? R : never

/** What the program calls itself is described nowhere. */
export type Answers = { [Name in Exclude<OperationName, 'wake exec'>]: HoldsOf<Result<Name>> }

export function text(about: string): Value<string> {
  return { type: 'text', about }
}

export function number(about: string): Value<number> {
  return { type: 'number', about }
}

export function flag(about: string): Value<boolean> {
  return { type: 'boolean', about }
}

/** Whatever somebody put there. */
export function any(about: string): Value<never> {
  return { type: 'any', about }
}

export function list<V>(of: Value<V>, about: string): Value<V[]> {
  return { type: 'list', about, of }
}

export function record<R>(name: string, about: string, holds: HoldsOf<R>): Value<R> {
  return { type: 'record', about, record: { name, holds: holds as Holds } }
}

export function orNull<V>(value: Value<V>): Value<V | null> {
  return { ...value, orNull: true }
}

export function maybe<V>(value: Value<V>): Optional<V> {
  return { ...value, optional: true }
}
