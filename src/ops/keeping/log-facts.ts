// Turns the shapes of facts (src/core/shape.ts) into rules that check imported values and refuse unknown fields.

import { isAgentId, parseAddress } from '../../core/agents/address.ts'
import { personId } from '../../core/agents/agent.ts'
import { THREAD_EVENTS } from '../../core/event.ts'
import type { AnyRecord, RecordList } from '../../core/record.ts'
import { DEEPEST_WHOLE, mustBeShallow } from '../../core/shallow.ts'
import type { Shape } from '../../core/shape.ts'
import { epochMs, toInstant } from '../../core/time.ts'
import { isInstanceName } from '../../core/workflows/instance.ts'
import { changedWake, checkWake, WAKE_FIELDS } from '../agents/wake-settings.ts'
import { body, choice, type Field, id, int, name, path, required, text } from '../kit/field.ts'
import { readInput } from '../kit/read-input.ts'

export type Rule = (value: unknown, label: string) => void

/** Leaves room for ids to grow after the import and still be exact integers that a shell flag accepts. */
export const MAX_EVENT_ID = 2 ** 49
/** More recipients than any message has, and more deliveries than any event moves. */
const MOST = 100_000

/** Checks a value like an operation's input. An optional field is stored as an empty string. */
export function field(like: Field): Rule {
  const type = like.kind === 'int' ? 'number' : 'string'
  return (value, label) => {
    if (typeof value !== type) throw new Error(`${label} is not a ${type}`)
    const given = value === '' ? {} : { [label]: value }
    readInput({ [label]: like }, given, { agent: undefined })
  }
}

export function object(rules: Record<string, Rule>): Rule {
  return (value, label) => {
    if (!isObject(value)) throw new Error(`${label} is not an object`)
    for (const key of Object.keys(value)) {
      if (!Object.hasOwn(rules, key)) throw new Error(`${label}.${key} is not known here`)
    }
    for (const [key, rule] of Object.entries(rules)) rule(value[key], `${label}.${key}`)
  }
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

export const orNull =
  (rule: Rule): Rule =>
  (value, label) =>
    value === null ? undefined : rule(value, label)

const ifGiven =
  (rule: Rule): Rule =>
  (value, label) =>
    value === undefined ? undefined : rule(value, label)

const listOf =
  (rule: Rule, min: number): Rule =>
  (value, label) => {
    if (!Array.isArray(value) || value.length < min || value.length > MOST) {
      throw new Error(`${label} is not a list of ${min} to ${MOST}`)
    }
    const seen = new Set<string>()
    for (const one of value) {
      rule(one, label)
      const words = JSON.stringify(one)
      if (seen.has(words)) throw new Error(`${label} names something twice`)
      seen.add(words)
    }
  }

export const is =
  (what: string, test: (value: string) => boolean): Rule =>
  (value, label) => {
    if (typeof value !== 'string' || !test(value)) throw new Error(`${label} is not ${what}`)
  }

/**
 * Times are compared as strings, which works only in this form. Year 9999 is excluded so that the end of a lease still
 * has four digits.
 */
export const INSTANT = is(
  'a time like 2026-01-31T09:00:00.000Z',
  (at) => !Number.isNaN(epochMs(at)) && toInstant(epochMs(at)) === at && at < '9999',
)
const AGENT = is(
  'an agent',
  (value) => isAgentId(value) && !['system', 'broadcast'].includes(value),
)
const PERSON = is('a person', (value) => personId(value) === value)
const QUEUE = is("a role's queue", (value) => value.startsWith('role:') && isAddress(value))
const RECIPIENT: Rule = (value, label) => {
  const word = String(value).split(':')[0]
  const rule = word === 'role' ? QUEUE : word === 'user' ? PERSON : AGENT
  rule(value, label)
}
export const ASSIGNEE: Rule = (value, label) => {
  const rule = String(value).startsWith('role:') ? QUEUE : field(required(name('an agent')))
  rule(value, label)
}
export const ADDRESS = is('an address', isAddress)
const FLAG: Rule = (value, label) => {
  if (typeof value !== 'boolean') throw new Error(`${label} is not true or false`)
}

function isAddress(value: string): boolean {
  try {
    parseAddress(value)
    return true
  } catch {
    return false
  }
}

const INSTANCE = is('an instance', isInstanceName)
const TURNS = field(required(int('', { min: 1, max: MAX_EVENT_ID })))

/** Wake settings in exactly the form that registering makes. */
const WAKE: Rule = (value, label) => {
  if (!isObject(value)) throw new Error(`${label} is not an object`)
  const { command, cwd, types, quiet, timer_since, runner, max_turns, ...rest } = value
  if (timer_since !== undefined) INSTANT(timer_since, `${label}.timer_since`)
  if (runner !== undefined) INSTANCE(runner, `${label}.runner`)
  if (max_turns !== undefined) TURNS(max_turns, `${label}.max_turns`)
  const given: Record<string, unknown> = { wake_cwd: cwd, wake_types: types }
  if (command !== undefined) given.wake_command = JSON.stringify(command)
  if (quiet !== undefined) given.wake_quiet = Array.isArray(quiet) ? quiet.join('-') : quiet
  for (const [key, one] of Object.entries(rest)) given[`wake_${key}`] = one
  const input = readInput(WAKE_FIELDS, given, { agent: undefined })
  checkWake(input)
  const words = (settings: object) => JSON.stringify(Object.entries(settings).sort())
  const made = {
    ...changedWake({}, input, String(timer_since)),
    ...(runner === undefined ? {} : { runner }),
    ...(max_turns === undefined ? {} : { max_turns }),
  }
  if (words(made) !== words(value)) throw new Error(`${label} is in another form`)
}

const TEXTS = { text, body, id, name, path }

function ruleOf(shape: Shape): Rule {
  switch (shape.is) {
    case 'text':
    case 'body':
    case 'id':
    case 'name':
    case 'path': {
      const like = TEXTS[shape.is]('', shape.max === undefined ? {} : { max: shape.max })
      return field(shape.orEmpty ? like : required(like))
    }
    case 'int': {
      const { is: _, stands: __, ...limits } = shape
      return field(required(int('', limits)))
    }
    case 'choice':
      return field(required(choice(shape.of, '')))
    case 'word':
      return is(shape.what, shape.test)
    case 'list':
      return listOf(ruleOf(shape.of), shape.min)
    case 'object':
      return object(rulesOf(shape.of))
    case 'null_or':
      return orNull(ruleOf(shape.of))
    case 'absent_or':
      return ifGiven(ruleOf(shape.of))
    default:
      return RULES[shape.is]
  }
}

const RULES = {
  flag: FLAG,
  instant: INSTANT,
  event_id: field(required(int('', { max: MAX_EVENT_ID }))),
  wake_settings: WAKE,
  agent: AGENT,
  person: PERSON,
  queue: QUEUE,
  recipient: RECIPIENT,
  assignee: ASSIGNEE,
}

function rulesOf(shapes: Readonly<Record<string, Shape>>): Record<string, Rule> {
  return Object.fromEntries(Object.entries(shapes).map(([name, shape]) => [name, ruleOf(shape)]))
}

export function factRules({ all }: RecordList): Map<string, Rule> {
  const ofThreads = Object.entries(THREAD_EVENTS).map(([type, { facts }]) => [type, facts] as const)
  const ofRecords = all.flatMap((record: AnyRecord) => Object.entries(record.facts))
  const events = [...ofThreads, ...ofRecords]
  return new Map(events.map(([type, facts]) => [type, object(rulesOf(facts))]))
}

export function objectIn(line: string): Record<string, unknown> {
  mustBeShallow(line, 'it', DEEPEST_WHOLE)
  let value: unknown
  try {
    value = JSON.parse(line)
  } catch {
    throw new Error('it is not JSON')
  }
  if (!isObject(value)) throw new Error('it is not an object')
  return value
}
