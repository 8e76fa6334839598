// The shapes of facts, as data. An event declares beside its facts which shape each of them has, and import
// (src/ops/keeping/log-facts.ts) checks a log from outside against it. A shape carries the type that it
// stands for, so the compiler compares shapes and facts.

/** `max` counts characters; `orEmpty` also admits the empty text. */
type TextShape = {
  is: 'text' | 'body' | 'id' | 'name' | 'path'
  max?: number
  orEmpty?: true
}

export type Shape<T = unknown> = { readonly stands?: T | undefined } & (
  | TextShape
  | { is: 'int'; min?: number; max?: number }
  | { is: 'choice'; of: readonly string[] }
  | { is: 'flag' | 'instant' | 'event_id' | 'wake_settings' }
  | { is: 'agent' | 'person' | 'queue' | 'recipient' | 'assignee' }
  /** A text that a function recognises as `what`. */
  | { is: 'word'; what: string; test: (text: string) => boolean }
  /** A list of different values, at least `min` of them. */
  | { is: 'list'; of: Shape; min: number }
  | { is: 'object'; of: Readonly<Record<string, Shape>> }
  | { is: 'null_or'; of: Shape }
  | { is: 'absent_or'; of: Shape }
)

/** A shape for every fact but the type. */
export type Shapes<Facts> = { [Name in Exclude<keyof Facts, 'type'>]: Shape<Facts[Name]> }

type Texts = Pick<TextShape, 'max' | 'orEmpty'>

export const INSTANT: Shape<string> = { is: 'instant' }
export const FLAG: Shape<boolean> = { is: 'flag' }
export const ID: Shape<string> = { is: 'id' }
export const NAME: Shape<string> = { is: 'name' }
export const PATH: Shape<string> = { is: 'path' }
export const EVENT_ID: Shape<number> = { is: 'event_id' }
export const AGENT: Shape<string> = { is: 'agent' }
export const PERSON: Shape<string> = { is: 'person' }
/** The queue of a role. */
export const QUEUE: Shape<string> = { is: 'queue' }
/** An agent, a person, or the queue of a role. */
export const RECIPIENT: Shape<string> = { is: 'recipient' }
/** The assignee of work: an agent, a person, or a role. */
export const ASSIGNEE: Shape<string> = { is: 'assignee' }
export const COUNT: Shape<number> = { is: 'int' }

export function text(limits: Texts = {}): Shape<string> {
  return { is: 'text', ...limits }
}

export function body(limits: Texts = {}): Shape<string> {
  return { is: 'body', ...limits }
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

/** The fact may be left out; if it is there, it has this shape. */
export function absentOr<T>(of: Shape<T>): Shape<T | undefined> {
  return { is: 'absent_or', of }
}
