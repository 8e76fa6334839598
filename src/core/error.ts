// Three kinds of "it didn't happen", each handled differently.
//
// Outcomes (nothing to claim, a wait that ran out) are results and never get here.
// Refusals are typed: a code from this table, and a sentence that names the value and the remedy.
// Everything else is a bug: a plain Error, caught once per door and shown as `internal`.
//
// A sentence for a caller mentions fields and operations, which have different names at each door: `to` is --to in a
// shell. So a sentence becomes text only when a door writes it.

export const CODES = {
  invalid_input: { exit: 30, http: 400, retry: 'no', means: 'an argument of the call is wrong' },
  invalid_state: { exit: 30, http: 409, retry: 'no', means: 'not possible in the current state' },
  cursor_expired: {
    exit: 30,
    http: 410,
    retry: 'no',
    means: 'the log before this cursor was pruned; start over from now',
  },
  lease_conflict: { exit: 20, http: 409, retry: 'later', means: 'someone else holds the thread' },
  revision_conflict: {
    exit: 20,
    http: 409,
    retry: 'no',
    means: 'a request or a document has changed since you looked at it',
  },
  not_found: {
    exit: 40,
    http: 404,
    retry: 'no',
    means: 'it does not exist, or you may not see it',
  },
  forbidden: {
    exit: 40,
    http: 403,
    retry: 'no',
    means: 'the caller is known but may not do this',
  },
  unauthenticated: {
    exit: 40,
    http: 401,
    retry: 'no',
    means: 'the caller is unknown: no token, or an invalid one',
  },
  busy: { exit: 50, http: 503, retry: 'yes', means: 'the store is locked or cannot be reached' },
  store_unusable: {
    exit: 50,
    http: 503,
    retry: 'no',
    means:
      'the store cannot be used in its current state: disk full, read-only, damaged, removed, too new',
  },
  internal: { exit: 50, http: 500, retry: 'no', means: 'a bug' },
} as const satisfies Record<
  string,
  { exit: number; http: number; retry: 'no' | 'later' | 'yes'; means: string }
>

export type Code = keyof typeof CODES

export class Refusal extends Error {
  readonly code: Code
  readonly details: Record<string, unknown>
  // A private field, so that code that logs or stores an error doesn't see the sentence's parts.
  readonly #sentence: Sentence

  constructor(code: Code, sentence: Sentence, details: Record<string, unknown> = {}) {
    super(write(sentence, PLAIN))
    this.name = 'Refusal'
    this.code = code
    this.details = details
    this.#sentence = sentence
  }

  /** The sentence as a door writes it; `message` is the library's version. */
  inWords(words: DoorWords): string {
    return write(this.#sentence, words)
  }
}

/** A value, keyed by its name in the refusal's details. */
type NamedPart = Readonly<Record<string, string | number>>
type RefusalPart = Sentence | number | NamedPart
type Refuse = (texts: TemplateStringsArray, ...parts: readonly RefusalPart[]) => Refusal

/**
 * Template tags, one for each code: refuse.not_found`there is no thread ${{ thread_id }}`. The value appears in the
 * sentence and, under its name, in the details. For details that the sentence doesn't mention, use the class.
 */
export const refuse = Object.fromEntries(
  Object.keys(CODES).map((code): [string, Refuse] => [
    code,
    (texts, ...parts) => {
      const said = parts.map((part) => (isNamed(part) ? Object.values(part).join() : part))
      const details = Object.assign({}, ...parts.filter(isNamed))
      return new Refusal(code as Code, sentence(texts, ...said), details)
    },
  ]),
) as Record<Code, Refuse>

function isNamed(part: RefusalPart): part is NamedPart {
  return typeof part === 'object'
}

/** Returns the refusal that the error is or amounts to. Running out of file descriptors always counts as one. */
export function refusalIn(error: unknown): Refusal | undefined {
  if (error instanceof Refusal) return error
  const code = (error as { code?: unknown } | null | undefined)?.code
  if (code !== 'EMFILE' && code !== 'ENFILE') return undefined
  return refuse.busy`no more files can be opened here (${code}); close some, or raise the limit (ulimit -n), then try again`
}

/** Escapes characters that a terminal would interpret, hide or reorder. Escaped JSON keeps its meaning. */
export function visible(text: string): string {
  return text.replace(UNSEEN, (letter) => {
    const units = [...Array(letter.length).keys()].map((at) => letter.charCodeAt(at))
    return units.map((unit) => `\\u${unit.toString(16).padStart(4, '0')}`).join('')
  })
}

/**
 * Control characters except tab and newline, and invisible characters: direction marks, zero-width characters, tags.
 */
export const UNSEEN = /(?![\t\n])\p{Cc}|[\p{Cf}\u2028\u2029]/gu

/** Shortens a quoted value to fit on one line. */
export function quote(value: unknown): string {
  const line = visible((JSON.stringify(value) ?? 'nothing').slice(0, 100))
  return line.length <= 80 ? line : `${line.slice(0, 76)}…"`
}

/** How a door refers to fields, callers, operations and commands. */
export type DoorWords = {
  field: (name: string) => string
  /** The ways to supply this field, if it's the one that identifies the caller. */
  caller: (field: string) => string
  /** An operation to call next, with its input. */
  operation: (name: string, input: OperationInput) => string
  /** A shell command line. The program has several names, so the door picks one. */
  command?: (line: string) => string
}

export type OperationInput = Readonly<Record<string, string | number | boolean>>

export type Sentence = string | ((words: DoorWords) => string)

export function sentence(
  texts: TemplateStringsArray,
  ...parts: readonly (Sentence | number)[]
): Sentence {
  return (words) => texts.map((text, at) => text + write(parts[at] ?? '', words)).join('')
}

/** A name such as `artifacts.kind` refers to the kind of an artifact. */
export function field(name: string): Sentence {
  return (words) => words.field(name)
}

export function callerBy(field: string): Sentence {
  return (words) => words.caller(field)
}

export function operation(name: string, input: OperationInput = {}): Sentence {
  return (words) => words.operation(name, input)
}

/** A shell command with its arguments. Every door writes it the same way. */
export function command(line: string): Sentence {
  return (words) => words.command?.(line) ?? `'inbox ${line}'`
}

function write(said: Sentence | number, words: DoorWords): string {
  return typeof said === 'function' ? said(words) : `${said}`
}

/** The wording for the library, whose callers catch the refusal itself. */
export const PLAIN: DoorWords = {
  field: (name) => name,
  caller: (field) => field,
  operation: (name, input) => `${camelCase(name)}(${asJson(input)})`,
}

/** Turns `mail send` into mailSend. */
export function camelCase(name: string): string {
  return name.replace(/[- ](\w)/g, (_, letter: string) => letter.toUpperCase())
}

/** Empty if there is no input. */
export function asJson(input: OperationInput): string {
  return Object.keys(input).length === 0 ? '' : JSON.stringify(input)
}
