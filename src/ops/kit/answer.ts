// Describes an operation's answer as data: the name, type and meaning of each field. The type of an answer is derived
// from its description (AnswerOf, AnswerRecord). The compiler checks what the operation returns against that type, and
// the behaviours compare every answer they get with the description.

/** One value. `V` is its TypeScript type. */
export type AnswerValue<V = unknown> = {
  type: 'text' | 'number' | 'boolean' | 'list' | 'record' | 'any'
  about: string
  orNull?: true
  optional?: true
  of?: AnswerValue
  /** A record's fields and its name. A record that several answers share is described only once. */
  record?: { name: string; holds: Holds }
  readonly value?: V
}

export type Holds = Record<string, AnswerValue>
type Optional<V> = AnswerValue<V> & { optional: true }

/** The type of an answer with these fields, or of a record in an answer. */
export type AnswerOf<H> = Flat<
  { -readonly [K in keyof H as H[K] extends { optional: true } ? never : K]: ValueIn<H[K]> } & {
    -readonly [K in keyof H as H[K] extends { optional: true } ? K : never]?: ValueIn<H[K]>
  }
>
type ValueIn<A> = A extends AnswerValue<infer V> ? V : never
type Flat<T> = { [K in keyof T]: T[K] }

/** The type of a record: `type Thread = AnswerRecord<typeof THREAD>`. */
export type AnswerRecord<A extends AnswerValue> = ValueIn<A>

// A result's type can be a union. A field that only some of its members have is optional.
type ResultNames<R> = R extends unknown ? keyof R : never
type At<R, K> = R extends unknown ? (K extends keyof R ? R[K] : undefined) : never

/** The fields of a record whose type is declared elsewhere, such as a row of the store. */
export type HoldsOf<R> = {
  [K in ResultNames<R>]: unknown extends At<R, K>
    ? AnswerValue
    : undefined extends At<R, K>
      ? Optional<Plain<Exclude<At<R, K>, undefined>>>
      : AnswerValue<Plain<At<R, K>>>
}

type ExactHolds<R> = {
  [K in keyof R]-?: undefined extends R[K] ? Optional<Exclude<R[K], undefined>> : AnswerValue<R[K]>
}

/** Widens literal types: the possible values are listed by the declared type, not by these descriptions. */
type Plain<V> = V extends string
  ? string
  : V extends boolean
    ? boolean
    : V extends readonly (infer One)[]
      ? Plain<One>[]
      : V

/** Causes a compile error if a result has fields that its answer doesn't describe. */
export type NothingBeside<R, H> = { [K in Exclude<ResultNames<R>, keyof H>]: never }

export function aText<V extends string = string>(about: string): AnswerValue<V> {
  return { type: 'text', about }
}

export function aNumber<V extends number = number>(about: string): AnswerValue<V> {
  return { type: 'number', about }
}

export function aFlag<V extends boolean = boolean>(about: string): AnswerValue<V> {
  return { type: 'boolean', about }
}

export function anything<V = unknown>(about: string): AnswerValue<V> {
  return { type: 'any', about }
}

export function aList<V>(of: AnswerValue<V>, about: string): AnswerValue<V[]> {
  return { type: 'list', about, of }
}

export function aRecord<H extends Holds>(
  name: string,
  about: string,
  holds: H,
): AnswerValue<AnswerOf<H>> {
  return { type: 'record', about, record: { name, holds } }
}

/** A record whose type is declared elsewhere, such as a row of the store: `aRow<Workspace>(…)`. */
export function aRow<R>(name: string, about: string, holds: HoldsOf<R>): AnswerValue<R> {
  return { type: 'record', about, record: { name, holds: holds as Holds } }
}

/** The fields of a record whose type is declared elsewhere, for sharing between records. */
export function fieldsOf<R>(holds: HoldsOf<R>): ExactHolds<R> {
  return holds as ExactHolds<R>
}

/** Picks the fields of a row that this record describes. The other fields aren't shown. */
export function pickShown<V, R extends object>(
  { record }: AnswerValue<V>,
  row: R,
): Pick<R, keyof R & keyof V> {
  const shown = Object.entries(row).filter(([name]) => Object.hasOwn(record?.holds ?? {}, name))
  return Object.fromEntries(shown) as Pick<R, keyof R & keyof V>
}

export function orNull<V>(value: AnswerValue<V>): AnswerValue<V | null> {
  return { ...value, orNull: true }
}

export function maybe<V>(value: AnswerValue<V>): Optional<V> {
  return { ...value, optional: true }
}

export const CURSOR = aNumber(
  'the end of the log at that time: later events come after it (--after-event, --since)',
)
export const EVENT_ID = aNumber('its place in the log')
export const MORE = aFlag('whether there are more')
export const WOKE = aFlag('whether a reply came in time')
export const INTERRUPTED = maybe(aFlag<true>('the wait was ended by a signal'))
