// What an operation takes, as data. From this one description come the shell's flags, help and
// completion, the reference, the check of every input, and (for the other doors) JSON Schema.
// A value is doubted here, once; inside, its type is the proof.

import { parseAddress } from '../core/address.ts'
import { isFree, USER } from '../core/agent.ts'
import { quote, refuse } from '../core/error.ts'
import { mustBeShallow } from '../core/shallow.ts'
import { mustKeepNumbers } from './exact-numbers.ts'

export type ArtifactInput = { path: string; kind: string; metadata_json: string }

type Values = {
  /** The caller itself: an agent's name, taken from who is calling when it is not given. */
  self: string
  name: string
  /** Whom a message is for: an agent, a role, everybody, a person. */
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
  /** Longest text in characters, largest number, or most entries. */
  max: number
  min?: number
  of?: readonly string[]
  /** Shown in help; the operation itself applies it. */
  default?: string
  /** The shell gives it by position, not by flag. */
  positional?: true
  /** It gives power over others. At a server's doors people may set it and nobody else; or may not set
   *  it to one of these words. */
  power?: true | readonly string[]
  /** Null, or the word none, takes back what was set before. */
  takesBack?: true
  readonly value?: V
}

export type Fields = Record<string, Field>

type ValueOf<F> = F extends Field<infer V, boolean> ? V : never
export type Input<F extends Fields> = {
  [K in keyof F as F[K]['required'] extends true ? K : never]: ValueOf<F[K]>
} & {
  [K in keyof F as F[K]['required'] extends true ? never : K]?: ValueOf<F[K]> | undefined
}

type Extra = Pick<Field, 'default' | 'max' | 'min' | 'positional' | 'power'>

function make<K extends FieldKind, V = Values[K]>(kind: K, max: number) {
  return (about: string, extra: Partial<Extra> = {}): Field<V, false> => ({
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
/** A mebibyte. What is larger is a file: attach it as an artifact. */
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
  extra: Partial<Extra> = {},
): Field<T[number], false> {
  return { kind: 'choice', about, required: false, max: 100, of, ...extra }
}

export function choices<const T extends readonly string[]>(
  of: T,
  about: string,
  extra: Partial<Extra> = {},
): Field<T[number][], false> {
  return { kind: 'choices', about, required: false, max: of.length, of, ...extra }
}

export function required<V>(field: Field<V, boolean>): Field<V, true> {
  return { ...field, required: true }
}

/** All of these give power. */
export function powers<F extends Fields>(fields: F): F {
  const marked = Object.entries(fields).map(([key, field]) => [key, { ...field, power: true }])
  return Object.fromEntries(marked) as F
}

export function takesBack<V>(field: Field<V, false>): Field<V | null, false> {
  return { ...field, takesBack: true }
}

/** Checks a raw input against the fields; `label` is what the door calls a field in its refusals. */
export function readInput<F extends Fields>(
  fields: F,
  raw: Record<string, unknown>,
  caller: { agent: string | undefined },
  label: (field: string) => string,
): Input<F> {
  if (typeof raw !== 'object' || raw === null) {
    throw refuse('invalid_input', 'the input must be an object of fields')
  }
  for (const key of Object.keys(raw)) {
    if (!Object.hasOwn(fields, key) && raw[key] !== undefined) {
      const said = label(key)
      const name = /^[\w-]{1,64}$/.test(said) ? said : quote(said)
      throw refuse('invalid_input', `${name} is not known here`)
    }
  }
  const input: Record<string, unknown> = {}
  for (const [key, field] of Object.entries(fields)) {
    const said = Object.hasOwn(raw, key) ? raw[key] : undefined
    const given = said ?? (field.kind === 'self' ? caller.agent : undefined)
    if (field.takesBack && (said === null || given === 'none')) {
      input[key] = null
      continue
    }
    if (given === undefined) {
      if (field.required) {
        throw refuse('invalid_input', missing(label(key), field), { missing: key })
      }
      continue
    }
    input[key] = read(field, given, label(key))
  }
  return input as Input<F>
}

function missing(label: string, field: Field): string {
  if (field.kind === 'self') {
    const which = field.positional ? 'name the agent, or ' : ''
    return `${label} is missing: ${which}say who you are with ${label} or the variable INBOX_AGENT`
  }
  const of = field.of === undefined ? '' : `, one of ${field.of.join(', ')}`
  return `${label} is missing: ${field.about}${of}`
}

function read(field: Field, value: unknown, label: string): unknown {
  switch (field.kind) {
    case 'flag':
      if (typeof value === 'boolean') return value
      throw refuse('invalid_input', `${label} takes no value`)
    case 'int':
      return readInt(field, value, label)
    case 'choices':
      return readChoices(field, value, label)
    case 'list':
      return readList(field, value, label)
    case 'artifacts':
      return readArtifacts(field, value, label)
    case 'json':
      return readJson(field, value, label)
    default:
      return readText(field, value, label)
  }
}

/** An agent, also of a workflow's instance; or a person. */
const NAME =
  /^(user:[A-Za-z][A-Za-z0-9_-]{0,63}|[A-Za-z][A-Za-z0-9_-]{0,63}(@[A-Za-z][A-Za-z0-9_-]{0,63})?)$/
const INT = /^-?\d{1,15}$/

function readText(field: Field, value: unknown, label: string): string {
  if (typeof value !== 'string') throw refuse('invalid_input', `${label} must be text`)
  refuseUnstorable(value, label)
  if (value.length > field.max) {
    const remedy = field.kind === 'body' ? '; put the rest into a file and say where it is' : ''
    throw refuse(
      'invalid_input',
      `${label} has ${value.length} characters; at most ${field.max} fit${remedy}`,
    )
  }
  if (value.trim() === '' && field.kind !== 'body') {
    throw refuse('invalid_input', `${label} is empty: ${field.about}`)
  }
  if ((field.kind === 'name' || field.kind === 'self') && !NAME.test(value)) {
    throw refuse(
      'invalid_input',
      `${label} ${quote(value)} is not a name: at most 64 letters, digits, _ and -, beginning with a letter; or NAME@INSTANCE, or user:NAME`,
    )
  }
  if ((field.kind === 'name' || field.kind === 'self') && value !== USER && !isFree(value)) {
    throw refuse(
      'invalid_input',
      `${label} ${quote(value)} is a reserved word; choose another name`,
    )
  }
  if (field.kind === 'address') parseAddress(value, label)
  if (field.kind === 'choice' && !field.of?.includes(value)) throw notOneOf(field, value, label)
  return value
}

/** Both engines must be able to keep it: no NUL, no half of a surrogate pair. */
function refuseUnstorable(value: string, label: string): void {
  if (value.includes('\0')) {
    throw refuse('invalid_input', `${label} contains a NUL character; remove it`)
  }
  if (!value.isWellFormed()) {
    throw refuse('invalid_input', `${label} is not valid Unicode; encode it as UTF-8`)
  }
}

function readInt(field: Field, value: unknown, label: string): number {
  const number = typeof value === 'string' && INT.test(value) ? Number(value) : value
  if (typeof number !== 'number' || !Number.isSafeInteger(number)) {
    throw refuse('invalid_input', `${label} ${quote(value)} is not a whole number`)
  }
  const min = field.min ?? 0
  if (number < min || number > field.max) {
    throw refuse('invalid_input', `${label} ${number} is out of range: ${min} to ${field.max}`)
  }
  return number
}

function readChoices(field: Field, value: unknown, label: string): string[] {
  const list = typeof value === 'string' ? value.split(',').map((part) => part.trim()) : value
  if (!Array.isArray(list) || list.length === 0) {
    throw refuse('invalid_input', `${label} must be a comma list`)
  }
  for (const one of list) {
    if (typeof one !== 'string' || !field.of?.includes(one)) throw notOneOf(field, one, label)
  }
  return [...new Set(list as string[])]
}

function readList(field: Field, value: unknown, label: string): string[] {
  const list = typeof value === 'string' ? [value] : value
  if (!Array.isArray(list)) throw refuse('invalid_input', `${label} must be a list`)
  if (list.length > field.max) {
    throw refuse('invalid_input', `${label} has ${list.length} entries; at most ${field.max} fit`)
  }
  return [...new Set(list.map((one) => readText(text(field.about), one, label)))]
}

function notOneOf(field: Field, value: unknown, label: string) {
  return refuse('invalid_input', `${label} ${quote(value)} is not one of ${field.of?.join(', ')}`)
}

/** JSON is kept word for word as text; other doors may hand in the value itself. */
function readJson(field: Field, value: unknown, label: string): string {
  const words = typeof value === 'string' ? value : toJson(value, label)
  if (words.length > field.max) {
    throw refuse(
      'invalid_input',
      `${label} has ${words.length} characters; at most ${field.max} fit`,
    )
  }
  mustBeShallow(words, label)
  let parsed: unknown
  try {
    parsed = JSON.parse(words)
  } catch {
    throw refuse('invalid_input', `${label} is not JSON: ${quote(words)}`)
  }
  refuseUnstorable(words, label)
  mustKeepNumbers(words, label)
  // What no text may hold, no text inside JSON may hold either, though written as an escape.
  if (words.includes('\\u')) eachText(parsed, (text) => refuseUnstorable(text, label))
  return words
}

function eachText(value: unknown, visit: (text: string) => void): void {
  if (typeof value === 'string') visit(value)
  else if (typeof value === 'object' && value !== null) {
    for (const [key, part] of Object.entries(value)) {
      visit(key)
      eachText(part, visit)
    }
  }
}

function toJson(value: unknown, label: string): string {
  try {
    const words = JSON.stringify(value)
    if (words !== undefined) return words
  } catch {
    // A circle, or a number JSON does not have: refused below like a function.
  }
  throw refuse('invalid_input', `${label} cannot be written as JSON`)
}

function readArtifacts(field: Field, value: unknown, label: string): ArtifactInput[] {
  if (!Array.isArray(value)) throw refuse('invalid_input', `${label} must be a list`)
  if (value.length > field.max) {
    throw refuse('invalid_input', `${label} has ${value.length} entries; at most ${field.max} fit`)
  }
  return value.map((raw: Record<string, unknown> | null) => ({
    path: readText(path('a path'), raw?.path, label),
    kind: readText(text('a word', { max: 64 }), raw?.kind ?? 'file', `${label}-kind`),
    metadata_json: readJson(
      json('JSON', { max: 16_384 }),
      raw?.metadata_json ?? '{}',
      `${label}-metadata-json`,
    ),
  }))
}
