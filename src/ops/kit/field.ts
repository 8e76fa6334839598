// The fields an operation takes, as data. The shell's flags, help and completion, the reference, the validation of
// every input (read-input.ts) and the JSON Schema of the other doors all come from this one description.

export type ArtifactInput = { path: string; kind: string; metadata_json: string }

type Values = {
  self: string
  name: string
  address: string
  id: string
  text: string
  body: string
  json: string
  int: number
  choice: string
  choices: string[]
  /** Strings, one per occurrence of the flag. The field's name is plural; its flag is singular. */
  list: string[]
  flag: boolean
  artifacts: ArtifactInput[]
  path: string
}

export type FieldKind = keyof Values

export type Field<V = unknown, R extends boolean = boolean> = {
  kind: FieldKind
  about: string
  required: R
  /** The maximum length of a string in characters, the largest number, or the maximum number of entries. */
  max: number
  min?: number
  of?: readonly string[]
  /** The values that help and refusals list, if some of the accepted values are aliases. */
  listed?: readonly string[]
  /**
   * See `byDefault`. Don't set this on a field if the operation checks whether the field was given, or on a mutation's
   * field: the idempotency key is bound to the input, so retrying a call from before the field had a default would be
   * refused. The exceptions are prune and sweep, which do no harm without a key, and how long request ask waits, which
   * isn't part of its key.
   */
  default?: V
  /** Explains in the help what leaving the field out means. */
  leftOut?: string
  /** The shell takes the value as a positional argument or as a flag. */
  positional?: true
  /** A thread's id, or the id of a message in it. */
  orMessage?: true
  /** At a terminal, a caller without a name is the store's owner. */
  orOwner?: true
  /** The field, or each listed value, grants power over others, so only people may set it at a server. */
  power?: true | readonly string[]
  /** Each element of the list may also be an object with a path. */
  ofPaths?: true
  /** Every reader must parse the JSON to the same value: no repeated keys, and no rounded numbers. */
  exact?: true
  /** The JSON contains a caller's value inside one of our wrappers, so it may be nested deeper. */
  wraps?: true
  /** The text is a single line shown next to our own: no control characters, no line breaks. */
  isLine?: true
  /** The JSON is a program and its arguments, as a list. */
  isCommand?: true
  /** Null, or the word none, clears the previous value. */
  takesBack?: true
  readonly value?: V
}

export type Fields = Record<string, Field>

type ValueOf<F> = F extends Field<infer V, boolean> ? V : never
type With<F extends Fields, Sure extends keyof F> = {
  [K in Sure]: ValueOf<F[K]>
} & {
  [K in Exclude<keyof F, Sure>]?: ValueOf<F[K]> | undefined
}
type Those<F extends Fields, Like> = { [K in keyof F]: F[K] extends Like ? K : never }[keyof F]

/** The input as a caller gives it. */
export type GivenInput<F extends Fields> = With<F, Those<F, { required: true }>>
/** The input as an operation gets it: validated, with defaults. */
export type Input<F extends Fields> = With<F, Those<F, { required: true } | { default: unknown }>>

type FieldExtras = Partial<
  Pick<
    Field,
    | 'exact'
    | 'isCommand'
    | 'isLine'
    | 'leftOut'
    | 'listed'
    | 'max'
    | 'min'
    | 'ofPaths'
    | 'orMessage'
    | 'orOwner'
    | 'positional'
    | 'power'
    | 'wraps'
  >
>

function make<K extends FieldKind, V = Values[K]>(kind: K, max: number) {
  return (about: string, extra: FieldExtras = {}): Field<V, false> => ({
    kind,
    about,
    required: false,
    max,
    ...extra,
  })
}

export const self = make('self', 130)
export const name = make('name', 130)
export const address = make('address', 140)
export const id = make('id', 128)
export const text = make('text', 1000)
/** One mebibyte. Longer text belongs in a file: attach it as an artifact. */
export const body = make('body', 1_048_576)
export const json = make('json', 262_144)
export const int = make('int', Number.MAX_SAFE_INTEGER)
export const flag = make('flag', 1)
export const artifacts = make('artifacts', 50)
export const list = make('list', 100)
export const path = make('path', 4096)

export function choice<const T extends readonly string[]>(
  of: T,
  about: string,
  extra: FieldExtras = {},
): Field<T[number], false> {
  return { kind: 'choice', about, required: false, max: 100, of, ...extra }
}

export function choices<const T extends readonly string[]>(
  of: T,
  about: string,
  extra: FieldExtras = {},
): Field<T[number][], false> {
  return { kind: 'choices', about, required: false, max: of.length, of, ...extra }
}

export function byDefault<V>(
  field: Field<V, false>,
  value: NoInfer<V>,
): Field<V, false> & { default: V } {
  return { ...field, default: value }
}

export function required<V>(field: Field<V, boolean>): Field<V, true> {
  return { ...field, required: true }
}

export function powers<F extends Fields>(fields: F): F {
  const marked = Object.entries(fields).map(([key, field]) => [key, { ...field, power: true }])
  return Object.fromEntries(marked) as F
}

export function takesBack<V>(field: Field<V, false>): Field<V | null, false> {
  return { ...field, takesBack: true }
}
