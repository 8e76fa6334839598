// What an operation answers, as data: the names, what each holds, and what it is. The compiler holds it to what the
// operation returns, name by name and type by type, and the behaviours compare every answer they get. What several
// answers hold is described beside its type, in the files `*-view.ts`.

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

export function aText(about: string): Value<string> {
  return { type: 'text', about }
}

export function aNumber(about: string): Value<number> {
  return { type: 'number', about }
}

export function aFlag(about: string): Value<boolean> {
  return { type: 'boolean', about }
}

/** Whatever somebody put there. */
export function anything(about: string): Value<never> {
  return { type: 'any', about }
}

export function aList<V>(of: Value<V>, about: string): Value<V[]> {
  return { type: 'list', about, of }
}

export function aRecord<R>(name: string, about: string, holds: HoldsOf<R>): Value<R> {
  return { type: 'record', about, record: { name, holds: holds as Holds } }
}

export function orNull<V>(value: Value<V>): Value<V | null> {
  return { ...value, orNull: true }
}

export function maybe<V>(value: Value<V>): Optional<V> {
  return { ...value, optional: true }
}

// What answers of every subject hold.

export const CURSOR = aNumber(
  'where the log stood: what comes later is after it (--after-event, --since)',
)
export const EVENT_ID = aNumber('its place in the log')
export const MORE = aFlag('whether there is more')
export const WOKE = aFlag('whether it came before the time was over')
export const INTERRUPTED = maybe(aFlag('the wait was ended by a signal'))
