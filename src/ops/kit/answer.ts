// Describes an operation's answer as data: its names, their types and their meaning. The compiler checks it
// against what the operation returns, name by name and type by type, and the behaviours compare every
// answer they get. Records that several answers hold are described beside their type, in the files
// `*-view.ts`.

/** One value. `V` is its type in the program. */
export type AnswerValue<V = unknown> = {
  type: 'text' | 'number' | 'boolean' | 'list' | 'record' | 'any'
  about: string
  /** The value may be null. */
  orNull?: true
  /** The value may be left out. */
  optional?: true
  /** The type of a list's elements. */
  of?: AnswerValue
  /** The fields of a record, and its name: a record that several answers hold is described once. */
  record?: { name: string; holds: Holds }
  readonly value?: V
}

export type Holds = Record<string, AnswerValue>
type Optional<V> = AnswerValue<V> & { optional: true }

// A result may have one of several forms; a name that one of them lacks is optional.
type ResultNames<R> = R extends unknown ? keyof R : never
type At<R, K> = R extends unknown ? (K extends keyof R ? R[K] : undefined) : never

/** The texts that a value may have are named in words, not in its type. */
type Plain<V> = V extends string
  ? string
  : V extends boolean
    ? boolean
    : V extends readonly (infer One)[]
      ? Plain<One>[]
      : V

export type HoldsOf<R> = {
  [K in ResultNames<R>]: unknown extends At<R, K>
    ? AnswerValue
    : undefined extends At<R, K>
      ? Optional<Plain<Exclude<At<R, K>, undefined>>>
      : AnswerValue<Plain<At<R, K>>>
}

export function aText(about: string): AnswerValue<string> {
  return { type: 'text', about }
}

export function aNumber(about: string): AnswerValue<number> {
  return { type: 'number', about }
}

export function aFlag(about: string): AnswerValue<boolean> {
  return { type: 'boolean', about }
}

/** Any value that somebody put there. */
export function anything(about: string): AnswerValue<never> {
  return { type: 'any', about }
}

export function aList<V>(of: AnswerValue<V>, about: string): AnswerValue<V[]> {
  return { type: 'list', about, of }
}

export function aRecord<R>(name: string, about: string, holds: HoldsOf<R>): AnswerValue<R> {
  return { type: 'record', about, record: { name, holds: holds as Holds } }
}

export function orNull<V>(value: AnswerValue<V>): AnswerValue<V | null> {
  return { ...value, orNull: true }
}

export function maybe<V>(value: AnswerValue<V>): Optional<V> {
  return { ...value, optional: true }
}

// Fields that answers of every subject have.

export const CURSOR = aNumber(
  'where the log stood: what comes later is after it (--after-event, --since)',
)
export const EVENT_ID = aNumber('its place in the log')
export const MORE = aFlag('whether there is more')
export const WOKE = aFlag('whether it came in time')
export const INTERRUPTED = maybe(aFlag('the wait was ended by a signal'))
