// From words to a raw input. The flags are read straight off an operation's fields: `lease_seconds`
// is --lease-seconds. Two kinds of field have flags of their own: a body may come from a file, and an
// artifact is a path with a kind and metadata, paired by position.

import { quote, refuse } from '../../core/error.ts'
import type { Field, Fields } from '../../ops/field.ts'

export type FlagSpec = {
  flag: string
  /** What help shows after it; empty for a flag without a value. */
  value: string
  about: string
  repeats: boolean
  of?: readonly string[]
}

export const GLOBAL_FLAGS: FlagSpec[] = [
  {
    flag: '--db',
    value: 'PATH|URL',
    about: 'the store: a file or postgres://…; else INBOX_DB, else the nearest .agents/coord.db',
    repeats: false,
  },
  { flag: '--agent', value: 'NAME', about: 'who you are; else INBOX_AGENT', repeats: false },
  { flag: '--json', value: '', about: 'answer in JSON', repeats: false },
  { flag: '--help', value: '', about: 'explain', repeats: false },
]

export function flagOf(field: string): string {
  return `--${field.replaceAll('_', '-')}`
}

export function flagSpecs(fields: Fields): FlagSpec[] {
  return Object.entries(fields).flatMap(([key, field]) =>
    field.positional ? [] : specsOf(key, field),
  )
}

function specsOf(key: string, field: Field): FlagSpec[] {
  const flag = flagOf(key)
  const about = field.about + (field.default === undefined ? '' : ` (default: ${field.default})`)
  switch (field.kind) {
    case 'flag':
      return [{ flag, value: '', about, repeats: false }]
    case 'body':
      return [
        { flag, value: 'TEXT', about, repeats: false },
        {
          flag: `${flag}-file`,
          value: 'PATH',
          about: 'read it from a file; - is standard input',
          repeats: false,
        },
      ]
    case 'artifacts':
      return [
        { flag: '--artifact', value: 'PATH', about: `${about}; repeatable`, repeats: true },
        {
          flag: '--artifact-kind',
          value: 'KIND',
          about: 'what the file is, by position',
          repeats: true,
        },
        {
          flag: '--artifact-metadata-json',
          value: 'JSON',
          about: 'data about it, by position',
          repeats: true,
        },
      ]
    default:
      return [
        {
          flag,
          value: valueName(field),
          about,
          repeats: false,
          ...(field.of ? { of: field.of } : {}),
        },
      ]
  }
}

function valueName(field: Field): string {
  if (field.of !== undefined) return field.of.join(field.kind === 'choices' ? ',' : '|')
  const names: Partial<Record<Field['kind'], string>> = {
    self: 'NAME',
    name: 'NAME',
    id: 'ID',
    int: 'N',
    json: 'JSON',
    path: 'PATH',
  }
  return names[field.kind] ?? 'TEXT'
}

export type Parsed = { flags: Map<string, string[]>; words: string[] }

/** Splits words into flags and the rest. Every flag must be known; most may stand once. */
export function parseFlags(args: string[], specs: FlagSpec[], help: string): Parsed {
  const flags = new Map<string, string[]>()
  const words: string[] = []
  const known = new Map(specs.map((spec) => [spec.flag, spec]))
  for (let i = 0; i < args.length; i++) {
    const word = args[i] as string
    if (word === '--') {
      words.push(...args.slice(i + 1))
      break
    }
    if (!word.startsWith('--') || word.length === 2) {
      if (word === '-h') flags.set('--help', [''])
      else if (word.startsWith('-') && word !== '-') throw unknownFlag(word, known, help)
      else words.push(word)
      continue
    }
    const equals = word.indexOf('=')
    const flag = equals < 0 ? word : word.slice(0, equals)
    const spec = known.get(flag)
    if (spec === undefined) throw unknownFlag(flag, known, help)
    if (!spec.repeats && flags.has(flag)) {
      throw refuse('invalid_input', `${flag} is given twice; give it once`)
    }
    if (spec.value === '') {
      if (equals >= 0) throw refuse('invalid_input', `${flag} takes no value`)
      flags.set(flag, [''])
      continue
    }
    let value = equals < 0 ? undefined : word.slice(equals + 1)
    if (value === undefined) {
      const next = args[i + 1]
      if (next === undefined || next.startsWith('--')) {
        throw refuse(
          'invalid_input',
          `${flag} needs a value (one that begins with -- is written ${flag}=…)`,
        )
      }
      value = next
      i += 1
    }
    flags.set(flag, [...(flags.get(flag) ?? []), value])
  }
  return { flags, words }
}

function unknownFlag(flag: string, known: Map<string, FlagSpec>, help: string) {
  const near = nearest(flag, [...known.keys()])
  const hint = near === undefined ? `see '${help}'` : `did you mean ${near}?`
  return refuse('invalid_input', `${quote(flag)} is not a flag of this command; ${hint}`)
}

/** The closest of the candidates, when it is close enough to be what was meant. */
export function nearest(word: string, candidates: string[]): string | undefined {
  const ranked = candidates
    .map((candidate) => ({ candidate, distance: editDistance(word, candidate) }))
    .sort((a, b) => a.distance - b.distance)
  const best = ranked[0]
  return best !== undefined && best.distance <= Math.max(2, word.length / 4)
    ? best.candidate
    : undefined
}

function editDistance(a: string, b: string): number {
  // Words of a command line are short; anything longer is no near miss.
  if (Math.abs(a.length - b.length) > 8) return 99
  let row = Array.from({ length: b.length + 1 }, (_, j) => j)
  for (let i = 1; i <= a.length; i++) {
    const next = [i]
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1] ? 0 : 1
      next.push(Math.min((row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1, (row[j - 1] ?? 0) + same))
    }
    row = next
  }
  return row[b.length] ?? 0
}

/** The raw input an operation's fields are then checked against. */
export function rawInput(
  fields: Fields,
  { flags, words }: Parsed,
  readBody: (path: string, limit: number) => string,
): Record<string, unknown> {
  const raw: Record<string, unknown> = {}
  const one = (flag: string) => flags.get(flag)?.[0]
  const rest = [...words]
  for (const [key, field] of Object.entries(fields)) {
    const flag = flagOf(key)
    if (field.positional) raw[key] = one(flag) ?? rest.shift()
    else if (field.kind === 'flag') raw[key] = flags.has(flag) ? true : undefined
    else if (field.kind === 'body')
      raw[key] = bodyFrom(one(flag), one(`${flag}-file`), field, readBody)
    else if (field.kind === 'artifacts') raw[key] = artifactsFrom(flags)
    else raw[key] = one(flag)
  }
  if (rest.length > 0) {
    throw refuse(
      'invalid_input',
      `${quote(rest[0] as string)} stands alone; a value needs its flag before it`,
    )
  }
  return raw
}

function bodyFrom(
  body: string | undefined,
  file: string | undefined,
  field: Field,
  readBody: (path: string, limit: number) => string,
): string | undefined {
  if (file === undefined) return body
  if (body !== undefined) {
    throw refuse('invalid_input', '--body and --body-file exclude each other; give one')
  }
  return readBody(file, field.max)
}

function artifactsFrom(flags: Map<string, string[]>): object[] | undefined {
  const paths = flags.get('--artifact')
  for (const flag of ['--artifact-kind', '--artifact-metadata-json']) {
    const values = flags.get(flag)
    if (values !== undefined && values.length !== (paths?.length ?? 0)) {
      throw refuse(
        'invalid_input',
        `${flag} is given ${values.length} times and --artifact ${paths?.length ?? 0} times; they pair by position`,
      )
    }
  }
  return paths?.map((path, i) => ({
    path,
    kind: flags.get('--artifact-kind')?.[i],
    metadata_json: flags.get('--artifact-metadata-json')?.[i],
  }))
}
