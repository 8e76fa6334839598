// A sentence for a caller contains fields and operations, and each door has different names for them: `to` is --to in
// a shell. So a sentence becomes text only when a door writes it.

/** A door's names for things. */
export type DoorWords = {
  field: (name: string) => string
  /** How callers identify themselves when this field is for that. */
  caller: (field: string) => string
  /** An operation to call next, with its input. */
  operation: (name: string, input: OperationInput) => string
  /** A shell command line, whose program has several names. */
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

/** A name such as `artifacts.kind` is the kind of an artifact. */
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

export function write(said: Sentence | number, words: DoorWords): string {
  return typeof said === 'function' ? said(words) : `${said}`
}

/** The library's wording, because its callers catch the refusal itself. */
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
