// Reads one line of an exported log and checks it like all other input: types, known names and lengths.

import { refuse } from '../../core/error.ts'
import { type EventRules, rulesOf, SYSTEM } from '../../core/event.ts'
import type { LogEntry } from '../../core/keeping/keeper.ts'
import { isKind, KINDS, THREAD_STATUSES } from '../../core/kinds.ts'
import type { NamedDigest } from '../../core/record.ts'
import { RECORDS } from '../../core/records.ts'
import { MESSAGE_KINDS } from '../../core/vocabulary.ts'
import { body, choice, id, int, json, name, path, required, text } from '../kit/field.ts'
import type { Context } from '../kit/operation.ts'
import { readInput } from '../kit/read-input.ts'
import { FORMAT, type Header } from './export.ts'
import {
  ADDRESS,
  ASSIGNEE,
  factRules,
  field,
  INSTANT,
  is,
  isObject,
  MAX_EVENT_ID,
  object,
  objectIn,
  orNull,
  type Rule,
} from './log-facts.ts'

const MOST_ARTIFACTS = 50
/** Leaves room for a message to everyone, with each recipient named. */
const MOST_FACTS = 4_194_304

const NAME = field(required(name('an agent')))
const ID = field(required(id('an id')))
/**
 * Leaves room for a request's payload and what a decision adds. A decision repeats the notes, and JSON can take six
 * characters to encode a single one.
 */
const MOST_DATA = 8_388_608
const JSON_TEXT = field(required(json('data', { max: MOST_DATA, wraps: true })))
const NOTHING = is('empty', (value) => value === '')

const IN_THREAD = {
  thread_id: ID,
  run_id: field(text('a run', { max: 128 })),
  task_id: field(text('a task', { max: 128 })),
  status: field(required(choice(THREAD_STATUSES, 'a status'))),
}
const IN_NONE = { thread_id: NOTHING, run_id: NOTHING, task_id: NOTHING, status: NOTHING }

function eventRule(rules: EventRules): Rule {
  return object({
    event_id: field(required(int('an id', { min: 1, max: MAX_EVENT_ID }))),
    ...(rules.in === 'none' ? IN_NONE : IN_THREAD),
    source: field(required(text('a word', { max: 64 }))),
    event_type: field(required(text('what happened'))),
    agent: agentRule(rules),
    message_id: orNull(ID),
    summary: field(text('one line')),
    payload_json: field(required(json('the facts', { max: MOST_FACTS }))),
    created_at: INSTANT,
  })
}

const BY_SYSTEM = is(SYSTEM, (value) => value === SYSTEM)
const BY_ANYONE: Rule = (value, label) => (value === SYSTEM ? undefined : NAME(value, label))

function agentRule({ by }: EventRules): Rule {
  return by === 'system' ? BY_SYSTEM : by === 'anyone' ? BY_ANYONE : NAME
}

function messageRule(isMail: boolean): Rule {
  return object({
    message_id: ID,
    thread_id: ID,
    seq: field(required(int('a place', { min: 1 }))),
    from_agent: isMail ? BY_ANYONE : NAME,
    to_agent: isMail ? ADDRESS : ASSIGNEE,
    kind: field(required(choice(MESSAGE_KINDS, 'a kind'))),
    summary: field(text('one line')),
    body: field(body('the message')),
    payload_json: JSON_TEXT,
    created_at: INSTANT,
    in_reply_to: orNull(ID),
    issue_id: orNull(field(required(text('an issue', { max: 128 })))),
    agent_id: orNull(NAME),
    hops: field(required(int('a number'))),
    artifacts: listOfArtifacts,
  })
}
const MESSAGE = messageRule(false)
const MAIL = messageRule(true)

const ARTIFACT = object({
  artifact_id: ID,
  message_id: ID,
  path: field(required(path('a path'))),
  kind: field(required(text('a word', { max: 64 }))),
  metadata_json: field(required(json('data', { max: 16_384 }))),
  created_at: INSTANT,
})

function listOfArtifacts(value: unknown, label: string): void {
  if (!Array.isArray(value) || value.length > MOST_ARTIFACTS) {
    throw new Error(`${label} is not a list of at most ${MOST_ARTIFACTS}`)
  }
  for (const artifact of value) ARTIFACT(artifact, 'artifact')
}

/** Fields that were added after the first logs were written. */
const LATER = { in_reply_to: null, issue_id: null, agent_id: null, hops: 0 }

export type LogLine = { header: Partial<Header> } | { entry: LogEntry }

export function lineReader(known = RECORDS): (line: string) => LogLine {
  const checks = new Map<string, EventCheck>()
  for (const [type, facts] of factRules(known)) {
    const rules = rulesOf(type, known)
    if (rules === undefined) throw new Error(`there is no rule for ${type}`)
    checks.set(type, { rules, event: eventRule(rules), facts })
  }
  return (line) => readLine(line, checks)
}

type EventCheck = { rules: EventRules; event: Rule; facts: Rule }

function readLine(line: string, checks: Map<string, EventCheck>): LogLine {
  const value = objectIn(line)
  if ('mailroom' in value) return { header: value as Partial<Header> }
  const { event: given, message = null, ...more } = value
  if (Object.keys(more).length > 0) throw new Error('it holds more than an event and its message')
  if (!isObject(given)) throw new Error('it has no event')
  const event: Record<string, unknown> = { message_id: null, ...given }
  const check = checks.get(String(event.event_type))
  if (check === undefined) throw new Error('event.event_type is not one that is known')
  check.event(event, 'event')
  const { at, ...facts } = JSON.parse(event.payload_json as string) as Record<string, unknown>
  if (at !== undefined) mustBeBefore(at, event.created_at as string)
  check.facts(facts, 'event.payload_json')
  if (message === null) return { entry: { event, message } as unknown as LogEntry }
  if (!isObject(message)) throw new Error('its message is not an object')
  const whole = { ...message, ...LATER, ...message }
  const { of } = check.rules
  // Work is between two parties. All other messages are addressed like mail.
  const rule = isKind(of) && KINDS[of].leased ? MESSAGE : MAIL
  rule(whole, 'message')
  return { entry: { event, message: { ...whole, imported_by: null } } as unknown as LogEntry }
}

/** `at` is present only if the event happened earlier than its time in the log. */
function mustBeBefore(at: unknown, createdAt: string): void {
  INSTANT(at, 'event.payload_json.at')
  if ((at as string) >= createdAt) throw new Error('it happened before the time it has in the log')
}

/** Throws if the header is invalid, because then the other lines can't be trusted either. */
export function checkHeader({ mailroom, store, floor }: Partial<Header>) {
  if (mailroom !== FORMAT) {
    const format = JSON.stringify(mailroom)
    throw refuse.invalid_input`the file has format ${format}; this program reads ${FORMAT}`
  }
  const fields = {
    'header.floor': required(int('a number', { max: MAX_EVENT_ID })),
    'header.store': id('a store'),
  }
  const given = { 'header.floor': floor, 'header.store': store }
  const read = readInput(fields, given, { agent: undefined })
  return { floor: read['header.floor'], store: read['header.store'] ?? null }
}

/** Returns what's wrong if a digest doesn't match its content, or null if it matches. */
export async function digestFault(
  digest: Context['digest'],
  { sha256, of }: NamedDigest,
): Promise<string | null> {
  const wanted = 'text' in of ? await digest(of.text) : of.sha256
  return wanted === sha256 ? null : `its digest is ${sha256}, and that of its payload is ${wanted}`
}
