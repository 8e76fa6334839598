// Validates every input against the fields of its operation, once. From here on, its type guarantees that it's valid.

import { parseAddress } from '../../core/agents/address.ts'
import { hasNameForm, isFree, USER } from '../../core/agents/agent.ts'
import {
  callerBy as callerIn,
  field as fieldIn,
  quote,
  Refusal,
  refuse,
  type Sentence,
  sentence,
} from '../../core/error.ts'
import { PREFIXES } from '../../core/id.ts'
import { DEEPEST, DEEPEST_WHOLE, mustBeShallow } from '../../core/shallow.ts'
import { mustKeepEveryDigit, mustKeepNumbers, RepeatedName, repeatedNames } from './exact-json.ts'
import {
  type ArtifactInput,
  type Field,
  type Fields,
  type Input,
  json,
  path,
  text,
} from './field.ts'

export function readInput<F extends Fields>(
  fields: F,
  raw: Record<string, unknown>,
  caller: { agent: string | undefined },
): Input<F> {
  if (typeof raw !== 'object' || raw === null)
    throw refuse.invalid_input`the input must be an object of fields`
  for (const key of Object.keys(raw)) {
    if (!Object.hasOwn(fields, key) && raw[key] !== undefined) {
      const name = /^[\w-]{1,64}$/.test(key) ? fieldIn(key) : quote(key)
      throw refuse.invalid_input`${name} is not a known field`
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
        throw new Refusal('invalid_input', missing(key, field), { missing: key })
      }
      if (field.default !== undefined) input[key] = field.default
      continue
    }
    input[key] = read(key, field, given)
  }
  return input as Input<F>
}

function missing(
  key: string,
  { kind, positional, orOwner, about, of: all, listed: of = all }: Field,
): Sentence {
  const label = fieldIn(key)
  if (kind === 'self') {
    const which = positional ? 'name the agent, or ' : ''
    const person = orOwner ? sentence`; a person writes ${label} ${USER}` : ''
    return sentence`${label} is missing: ${which}say who you are with ${callerIn(key)}${person}`
  }
  if (kind === 'id' || kind === 'list') {
    const prefix = (PREFIXES as Record<string, string>)[key]
    const such = prefix === undefined ? '' : `, such as ${prefix}_01k9…`
    return sentence`${label} is missing: say which ${key}, by id${such}`
  }
  return sentence`${label} is missing: ${about}${of === undefined ? '' : `, one of ${of.join(', ')}`}`
}

function read(key: string, field: Field, value: unknown): unknown {
  const label = fieldIn(key)
  if (value instanceof RepeatedName)
    throw refuse.invalid_input`${label} is given twice; give it once`
  switch (field.kind) {
    case 'flag':
      if (typeof value === 'boolean') return value
      throw refuse.invalid_input`${label} must be true or false`
    case 'int':
      return readInt(field, value, label)
    case 'choices':
      return readChoices(field, value, label)
    case 'list':
      return readList(field, value, label)
    case 'artifacts':
      return readArtifacts(key, field, value)
    case 'json':
      return readJson(field, value, label)
    default:
      return readText(field, value, label)
  }
}

const INT = /^-?\d{1,15}$/

function readText(field: Field, value: unknown, label: Sentence): string {
  if (typeof value !== 'string') throw refuse.invalid_input`${label} must be text`
  refuseUnstorable(value, label)
  if (value.length > field.max) {
    const remedy = field.kind === 'body' ? '; put the rest into a file and give its path' : ''
    throw refuse.invalid_input`${label} has ${value.length} characters; at most ${field.max} fit${remedy}`
  }
  if (field.isLine) refuseBroken(value, label)
  if (value.trim() === '' && field.kind !== 'body') {
    const remedy = field.kind === 'self' ? 'give the name of an agent' : field.about
    throw refuse.invalid_input`${label} is empty: ${remedy}`
  }
  if ((field.kind === 'name' || field.kind === 'self') && !hasNameForm(value))
    throw refuse.invalid_input`${label} ${quote(value)} is not a name: at most 64 letters, digits, _ and -, beginning with a letter; or NAME@INSTANCE, or user:NAME`
  if ((field.kind === 'name' || field.kind === 'self') && value !== USER && !isFree(value))
    throw refuse.invalid_input`${label} ${quote(value)} is a reserved word; choose another name`
  if (field.kind === 'address') parseAddress(value, label)
  if (field.kind === 'choice' && !field.of?.includes(value)) throw notOneOf(field, value, label)
  return value
}

/** Both engines must be able to store the text: no NUL, no lone surrogate. */
function refuseUnstorable(value: string, label: Sentence): void {
  if (value.includes('\0')) throw refuse.invalid_input`${label} contains a NUL character; remove it`
  if (!value.isWellFormed())
    throw refuse.invalid_input`${label} is not valid Unicode; encode it as UTF-8`
}

const BREAKS = /[\p{Cc}\u2028\u2029]/u

function refuseBroken(value: string, label: Sentence): void {
  if (!BREAKS.test(value)) return
  throw refuse.invalid_input`${label} ${quote(value)} has a line break or another control character; write it in one line without them`
}

function readInt(field: Field, value: unknown, label: Sentence): number {
  const number = typeof value === 'string' && INT.test(value) ? Number(value) : value
  if (typeof number !== 'number' || !Number.isSafeInteger(number))
    throw refuse.invalid_input`${label} ${quote(value)} is not a whole number`
  const min = field.min ?? 0
  if (number < min || number > field.max)
    throw refuse.invalid_input`${label} ${number} is out of range: ${min} to ${field.max}`
  return number
}

function readChoices(field: Field, value: unknown, label: Sentence): string[] {
  const list = typeof value === 'string' ? value.split(',').map((part) => part.trim()) : value
  if (!Array.isArray(list) || list.length === 0)
    throw refuse.invalid_input`${label} must be a list, or text separated by commas`
  for (const one of list) {
    if (typeof one !== 'string' || !field.of?.includes(one)) throw notOneOf(field, one, label)
  }
  return [...new Set(list as string[])]
}

function readList(field: Field, value: unknown, label: Sentence): string[] {
  const list = typeof value === 'string' ? [value] : value
  if (!Array.isArray(list)) throw refuse.invalid_input`${label} must be a list`
  if (list.length > field.max)
    throw refuse.invalid_input`${label} has ${list.length} entries; at most ${field.max} fit`
  const words = list.map((one) => (field.ofPaths ? (one?.path ?? one) : one))
  return [...new Set(words.map((one) => readText(text(field.about), one, label)))]
}

function notOneOf(field: Field, value: unknown, label: Sentence) {
  const known = field.listed ?? field.of ?? []
  // Callers may use a more specific name, such as claude-code, that begins with one of ours.
  const near = known.find((one) => typeof value === 'string' && value.startsWith(`${one}-`))
  const meant = near === undefined ? '' : `; did you mean ${near}?`
  return refuse.invalid_input`${label} ${quote(value)} is not one of ${known.join(', ')}${meant}`
}

/** JSON text is stored verbatim. Some doors pass the parsed value instead. */
function readJson(field: Field, value: unknown, label: Sentence): string {
  const words = typeof value === 'string' ? value : toJson(value, label)
  if (words.length > field.max)
    throw refuse.invalid_input`${label} has ${words.length} characters; at most ${field.max} fit`
  mustBeShallow(words, label, field.wraps ? DEEPEST_WHOLE : DEEPEST)
  let parsed: unknown
  try {
    parsed = JSON.parse(words)
  } catch {
    const list = JSON.stringify(words.trim().split(/\s+/))
    const remedy = field.isCommand ? `; write it as a list: ${list}` : ''
    throw refuse.invalid_input`${label} is not JSON: ${quote(words)}${remedy}`
  }
  refuseUnstorable(words, label)
  if (field.exact) mustKeepEveryDigit(words, label)
  else mustKeepNumbers(words, label)
  const [repeated] = field.exact ? repeatedNames(words) : []
  if (repeated !== undefined) throw namedTwice(label, String(repeated.at(-1)))
  // Strings inside JSON may not contain characters that are refused in other strings, even if they're escaped.
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

function toJson(value: unknown, label: Sentence): string {
  try {
    const words = JSON.stringify(value, finite)
    if (words !== undefined) return words
  } catch (error) {
    if (error instanceof RepeatedName) throw namedTwice(label, error.repeated)
    // A cycle, or a number JSON can't express, is refused below, like a function.
  }
  throw refuse.invalid_input`${label} cannot be written as JSON`
}

/** Parsers disagree about objects with repeated keys. */
function namedTwice(label: Sentence, repeated: string) {
  return refuse.invalid_input`${label} names ${quote(repeated)} twice in one object; name it once`
}

/** JSON.stringify would write these as null. */
function finite(_: string, value: unknown): unknown {
  if (typeof value !== 'number' || Number.isFinite(value)) return value
  throw new RangeError(String(value))
}

function readArtifacts(key: string, field: Field, value: unknown): ArtifactInput[] {
  const label = fieldIn(key)
  if (!Array.isArray(value)) throw refuse.invalid_input`${label} must be a list`
  if (value.length > field.max)
    throw refuse.invalid_input`${label} has ${value.length} entries; at most ${field.max} fit`
  return value.map((raw: Record<string, unknown> | null) => ({
    path: readText(path('a path'), raw?.path, label),
    kind: readText(text('a word', { max: 64 }), raw?.kind ?? 'file', fieldIn(`${key}.kind`)),
    metadata_json: readJson(
      json('JSON', { max: 16_384 }),
      raw?.metadata_json ?? '{}',
      fieldIn(`${key}.metadata_json`),
    ),
  }))
}
