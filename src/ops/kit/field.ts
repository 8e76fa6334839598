// The fields that an operation takes, as data. From this one description come the shell's flags, help and
// completion, the reference, the check of every input (read-input.ts), and the JSON Schema of the other
// doors.

export type ArtifactInput = { path: string; kind: string; metadata_json: string }

type Values = {
  /** The caller itself: an agent's name, which comes from the caller when it is not given. */
  self: string
  name: string
  /** The address of a message: an agent, a role, everybody, a person. */
  address: string
  id: string
  text: string
  body: string
  json: string
  int: number
  choice: string
  choices: string[]
  /** Texts, one for each time the flag stands. Named in the plural; its flag is the singular. */
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
  /** The longest text in characters, the largest number, or the most entries. */
  max: number
  min?: number
  of?: readonly string[]
  /** The words that help and refusals list, where some of them are other names for the same. */
  listed?: readonly string[]
  /**
   * See `byDefault`. Not for a field of which the operation asks whether it was given. Not for a field of a
   * mutation either, because its idempotency key is bound to its input: a call from before the field had a
   * default would be refused when it is repeated. Only prune and sweep have some, which do no harm without
   * a key; and request ask, for the time it waits, which is no part of its key.
   */
  default?: V
  /** The meaning of leaving it out, in words for help. */
  leftOut?: string
  /** The shell takes the value by position, or by flag as any other. */
  positional?: true
  /** The id of a thread may also be that of a message in it. */
  orMessage?: true
  /** At a terminal, the caller who says no name is the store's owner. */
  orOwner?: true
  /**
   * The field gives power over others. At a server only people may set it; or only people may set it to one
   * of these words.
   */
  power?: true | readonly string[]
  /** Each element of the list may also be an object with a path. */
  ofPaths?: true
  /** Every reader must find the same value in the JSON: no name may come twice in one object, and no number be rounded. */
  exact?: true
  /** The JSON holds what somebody gave, with words of ours around it: it may be deeper by those. */
  wraps?: true
  /** The text is one line that people read among ours: it has no control characters, and does not break. */
  isLine?: true
  /** The JSON is a program and its arguments, as a list. */
  isCommand?: true
  /** Null, or the word none, takes back what was set before. */
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
/** The input as an operation gets it: checked, and with its defaults. */
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
/** A mebibyte. A longer text is a file: attach it as an artifact. */
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

/** Without a given value, the input has this one. */
export function byDefault<V>(
  field: Field<V, false>,
  value: NoInfer<V>,
): Field<V, false> & { default: V } {
  return { ...field, default: value }
}

export function required<V>(field: Field<V, boolean>): Field<V, true> {
  return { ...field, required: true }
}

/** Marks all of these fields as giving power. */
export function powers<F extends Fields>(fields: F): F {
  const marked = Object.entries(fields).map(([key, field]) => [key, { ...field, power: true }])
  return Object.fromEntries(marked) as F
}

export function takesBack<V>(field: Field<V, false>): Field<V | null, false> {
  return { ...field, takesBack: true }
}
