// Turns command-line arguments into a raw input. Flags are named after the operation's fields: `lease_seconds` is
// --lease-seconds. Some kinds of field have special flags: a body can come from a file, a list has a singular flag that
// can be repeated, and an artifact is a path with a kind and metadata, paired by position.

import { quote, Refusal, refuse } from '../../core/error.ts'
import type { Field, FieldKind, Fields } from '../../ops/kit/field.ts'
import type { FlagSpec } from '../../ops/kit/for-doors.ts'

/** How many times a flag can be given, and whether it takes a value. */
export type Arity = 'switch' | 'once' | 'many'

const EVERYWHERE: [string, Arity][] = [
  ['--db', 'once'],
  ['--agent', 'once'],
  ['--json', 'switch'],
  ['--help', 'switch'],
]

export function flagOf(field: string, kind?: FieldKind): string {
  const isMany = kind === 'list' || kind === 'artifacts'
  const word = isMany ? field.replace(/ies$/, 'y').replace(/s$/, '') : field
  return `--${word.replaceAll('_', '-')}`
}

/** The placeholder of a value given by position: THREAD, or MESSAGE for a list. */
export function wordOf(field: string, kind?: FieldKind): string {
  return flagOf(field, kind).slice(2).toUpperCase()
}

export function arities(fields: Fields): Map<string, Arity> {
  const known = new Map(EVERYWHERE)
  for (const key in fields) {
    const kind = fields[key]?.kind
    const flag = flagOf(key, kind)
    if (kind === 'artifacts') {
      known.set(flag, 'many')
      known.set('--artifact-kind', 'many')
      known.set('--artifact-metadata-json', 'many')
      continue
    }
    known.set(flag, kind === 'flag' ? 'switch' : kind === 'list' ? 'many' : 'once')
    if (kind === 'body') known.set(`${flag}-file`, 'once')
  }
  return known
}

export function arityOf({ value, repeats }: FlagSpec): Arity {
  if (value === '') return 'switch'
  return repeats ? 'many' : 'once'
}

export type ParsedWords = { flags: Map<string, string[]>; words: string[] }

/** Splits arguments into flags and words. Every flag must be known, and most can be given only once. */
export function parseFlags(args: string[], known: Map<string, Arity>, help: string): ParsedWords {
  const flags = new Map<string, string[]>()
  const words: string[] = []
  for (let i = 0; i < args.length; i++) {
    const word = args[i] as string
    if (word === '--') {
      words.push(...args.slice(i + 1))
      break
    }
    if (!word.startsWith('--') || word.length === 2) {
      if (word === '-h') flags.set('--help', [''])
      else if (/^-v$/i.test(word) && known.has('--version')) flags.set('--version', [''])
      else if (word.startsWith('-') && word !== '-') throw unknownFlag(word, known, help)
      else words.push(word)
      continue
    }
    const equals = word.indexOf('=')
    const flag = equals < 0 ? word : word.slice(0, equals)
    const arity = known.get(flag)
    if (arity === undefined) throw unknownFlag(flag, known, help)
    if (arity !== 'many' && flags.has(flag))
      throw refuse.invalid_input`${flag} is given twice; give it once`
    if (arity === 'switch') {
      if (equals >= 0) throw refuse.invalid_input`${flag} takes no value`
      flags.set(flag, [''])
      continue
    }
    let value = equals < 0 ? undefined : word.slice(equals + 1)
    if (value === undefined) {
      const next = args[i + 1]
      if (next === undefined || next.startsWith('--'))
        throw refuse.invalid_input`${flag} needs a value (one that begins with -- is written ${flag}=…)`
      value = next
      i += 1
    }
    flags.set(flag, [...(flags.get(flag) ?? []), value])
  }
  return { flags, words }
}

function unknownFlag(flag: string, known: Map<string, Arity>, help: string) {
  const message = `${quote(flag)} is not a flag of this command; see '${help}'`
  return new Refusal('invalid_input', message, { flag, known: [...known.keys()] })
}

/** The raw input, before it is checked against the operation's fields. */
export function rawInput(
  fields: Fields,
  { flags, words }: ParsedWords,
  readBody: (flag: string, path: string, limit: number) => string,
): Record<string, unknown> {
  const raw: Record<string, unknown> = {}
  const one = (flag: string) => flags.get(flag)?.[0]
  const rest = [...words]
  let last = ''
  for (const [key, field] of Object.entries(fields)) {
    const { kind, positional } = field
    const flag = flagOf(key, kind)
    if (kind === 'list') {
      const given = [...(flags.get(flag) ?? []), ...(positional ? rest.splice(0) : [])]
      raw[key] = given.length > 0 ? given : undefined
      continue
    }
    if (kind === 'flag') raw[key] = flags.has(flag) ? true : undefined
    else if (kind === 'artifacts') raw[key] = artifactsFrom(flags)
    else raw[key] = kind === 'body' ? bodyFrom(flag, flags, field, readBody) : one(flag)
    if (!positional || !takesWord(field, raw[key], rest[0])) continue
    last = rest.shift() as string
    raw[key] = last
  }
  if (rest.length === 0) return raw
  throw new Refusal('invalid_input', stray(last, rest), { stray: rest[0] })
}

/**
 * Whether an argument without a flag is the value of this field. The agent that a command is about can be given without
 * a flag, in which case --agent names the caller. If an optional id is left out, an argument with spaces belongs to the
 * text field after it.
 */
function takesWord({ kind, required }: Field, flagged: unknown, word: string | undefined): boolean {
  if (word === undefined || kind === 'self') return word !== undefined
  return flagged === undefined && (kind !== 'id' || required || !/\s/.test(word))
}

function stray(last: string, [first = '', ...more]: string[]): string {
  if (last === '')
    return `unexpected ${quote(first)}; this command takes only flags, which --help lists`
  const text = [last, first, ...more].join(' ')
  return `unexpected ${quote(first)}; put a text in quotes: ${quote(text)}`
}

function bodyFrom(
  flag: string,
  flags: ParsedWords['flags'],
  field: Field,
  readBody: (flag: string, path: string, limit: number) => string,
): string | undefined {
  const body = flags.get(flag)?.[0]
  const file = flags.get(`${flag}-file`)?.[0]
  if (file === undefined) return body
  if (body !== undefined)
    throw refuse.invalid_input`${flag} and ${flag}-file cannot be combined; give one`
  return readBody(`${flag}-file`, file, field.max)
}

function artifactsFrom(flags: Map<string, string[]>): object[] | undefined {
  const paths = flags.get('--artifact')
  for (const flag of ['--artifact-kind', '--artifact-metadata-json']) {
    const values = flags.get(flag)
    if (values !== undefined && values.length !== (paths?.length ?? 0))
      throw refuse.invalid_input`${flag} is given ${values.length} times and --artifact ${paths?.length ?? 0} times; they pair by position`
  }
  return paths?.map((path, i) => ({
    path,
    kind: flags.get('--artifact-kind')?.[i],
    metadata_json: flags.get('--artifact-metadata-json')?.[i],
  }))
}
