// Shapes describe, as data, which values are allowed. The fields of a record and the facts of an event are declared as
// shapes. Derived from them are the types of rows (RowFrom) and of events' facts (FactsOf), the columns of tables
// (src/store/record-row.ts), and the rules by which import checks a log from outside (src/ops/keeping/log-facts.ts).

/** `max` counts characters; `orEmpty` also allows the empty string. */
type TextShape = {
  is: 'text' | 'body' | 'id' | 'name' | 'path'
  max?: number
  orEmpty?: true
}

/** `stands` is never set: it carries the type, so the compiler knows the type of every declared value. */
export type Shape<T = unknown> = { readonly stands?: T | undefined } & (
  | TextShape
  | { is: 'int'; min?: number; max?: number }
  | { is: 'choice'; of: readonly string[] }
  | { is: 'flag' | 'instant' | 'event_id' | 'wake_settings' }
  | { is: 'agent' | 'person' | 'queue' | 'recipient' | 'assignee' }
  /** A string that `test` accepts; `what` names it in errors. */
  | { is: 'word'; what: string; test: (text: string) => boolean }
  /** A list of at least `min` different values. */
  | { is: 'list'; of: Shape; min: number }
  | { is: 'object'; of: Readonly<Record<string, Shape>> }
  | { is: 'null_or'; of: Shape }
  | { is: 'absent_or'; of: Shape }
)
type AbsentOr<T> = Shape<T> & { is: 'absent_or' }

type ShapeTable = Readonly<Record<string, Shape>>
export type ShapeValue<S extends Shape> = Exclude<S['stands'], undefined>
type AbsentNames<S extends ShapeTable> = {
  [Name in keyof S]: S[Name] extends AbsentOr<unknown> ? Name : never
}[keyof S]

export type RowFrom<S extends ShapeTable> = { [Name in keyof S]: ShapeValue<S[Name]> }

/** The type of an object with these shapes. A value that may be absent is an optional property. */
export type ShapeValues<S extends ShapeTable> = OneObject<
  RowFrom<Omit<S, AbsentNames<S>>> & Partial<RowFrom<Pick<S, AbsentNames<S>>>>
>

export type FactsOf<Table extends Readonly<Record<string, ShapeTable>>> = {
  [Type in keyof Table]: { type: Type } & ShapeValues<Table[Type]>
}[keyof Table]
type OneObject<T> = { [Name in keyof T]: T[Name] }

/** A shape for every fact but the type. */
export type Shapes<Facts> = { [Name in Exclude<keyof Facts, 'type'>]: Shape<Facts[Name]> }

/** The shapes of some fields of a record, for the facts of an event that sets them. */
export function pick<S extends ShapeTable, Name extends keyof S>(
  fields: S,
  ...names: Name[]
): Pick<S, Name> {
  return Object.fromEntries(names.map((name) => [name, fields[name]])) as Pick<S, Name>
}

type TextLimits = Pick<TextShape, 'max' | 'orEmpty'>

export const INSTANT: Shape<string> = { is: 'instant' }
export const FLAG: Shape<boolean> = { is: 'flag' }
export const ID: Shape<string> = { is: 'id' }
export const ID_OR_EMPTY: Shape<string> = { is: 'id', orEmpty: true }
export const NAME: Shape<string> = { is: 'name' }
export const NAME_OR_EMPTY: Shape<string> = { is: 'name', orEmpty: true }
export const PATH: Shape<string> = { is: 'path' }
export const PATH_OR_EMPTY: Shape<string> = { is: 'path', orEmpty: true }
export const EVENT_ID: Shape<number> = { is: 'event_id' }
export const AGENT: Shape<string> = { is: 'agent' }
export const PERSON: Shape<string> = { is: 'person' }
export const QUEUE: Shape<string> = { is: 'queue' }
/** An agent, a person or a role's queue. */
export const RECIPIENT: Shape<string> = { is: 'recipient' }
/** The assignee of work: an agent, a person, or a role. */
export const ASSIGNEE: Shape<string> = { is: 'assignee' }
export const COUNT: Shape<number> = { is: 'int' }
/** The exit code of a program; null if it was killed or never started. */
export const EXIT_CODE: Shape<number | null> = {
  is: 'null_or',
  of: { is: 'int', min: -(2 ** 31), max: 2 ** 31 },
}
/** The end of a program's standard error. */
export const STDERR: Shape<string> = { is: 'body', max: 4096, orEmpty: true }
export const SHA256 = word('a SHA-256', (digest) => /^[0-9a-f]{64}$/.test(digest))

export function text(limits: TextLimits = {}): Shape<string> {
  return { is: 'text', ...limits }
}

export function int(limits: { min?: number; max?: number }): Shape<number> {
  return { is: 'int', ...limits }
}

export function choice<const T extends readonly string[]>(of: T): Shape<T[number]> {
  return { is: 'choice', of }
}

export function word(what: string, test: (text: string) => boolean): Shape<string> {
  return { is: 'word', what, test }
}

export function listOf<T>(of: Shape<T>, min: number): Shape<T[]> {
  return { is: 'list', of, min }
}

export function object<T extends object>(of: { [Name in keyof T]: Shape<T[Name]> }): Shape<T> {
  return { is: 'object', of }
}

export function nullOr<T>(of: Shape<T>): Shape<T | null> {
  return { is: 'null_or', of }
}

/** The fact may be left out; if present, it has this shape. */
export function absentOr<T>(of: Shape<T>): AbsentOr<T> {
  return { is: 'absent_or', of }
}
