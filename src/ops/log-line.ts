// One line of an exported log, doubted like every other input: the right types, the words core
// knows, and nothing longer than an operation would take.

import { refuse } from '../core/error.ts'
import { type EventType, SYSTEM } from '../core/event.ts'
import { MAX_LEASE_SECONDS } from '../core/lease.ts'
import type { LogEntry } from '../core/store.ts'
import { PRIORITIES, THREAD_STATUSES } from '../core/thread.ts'
import { epochMs, toInstant } from '../core/time.ts'
import { MESSAGE_KINDS } from '../core/vocabulary.ts'
import { FORMAT, type Header } from './export.ts'
import {
  body,
  choice,
  type Fields,
  id,
  int,
  json,
  name,
  path,
  readInput,
  required,
  text,
} from './field.ts'

/** Ids must go on growing after the import, in numbers that are exact and that a shell flag takes. */
const MAX_EVENT_ID = 2 ** 49
const MOST_ARTIFACTS = 50

const LEASE_SECONDS = required(int('a lease', { min: 1, max: MAX_LEASE_SECONDS }))
const FACTS = {
  thread_send: {
    subject: required(text('the subject')),
    assigned_to: required(name('an agent')),
    priority: required(choice(PRIORITIES, 'a priority')),
  },
  thread_append: {},
  thread_claim: {
    lease_token: required(text('a token', { max: 128 })),
    lease_seconds: LEASE_SECONDS,
  },
  thread_renew: { lease_seconds: LEASE_SECONDS },
  thread_update: { status: required(choice(['in_progress', 'blocked'], 'a status')) },
  thread_reply: {},
  thread_done: {},
  thread_fail: {},
  thread_cancel: {},
  thread_lapse: {},
  thread_read: { message_id: required(id('a message')), seq: required(int('a place', { min: 1 })) },
  mail_send: {},
  mail_append: {},
  delivery_present: {},
  delivery_read: {},
  delivery_bounce: {},
  delivery_expire: {},
  delivery_take: {},
  agent_register: {},
  agent_declare: {},
  person_add: {},
  wake_start: {},
  wake_end: {},
} satisfies Record<EventType, Fields>

const EVENT: Fields = {
  event_id: required(int('an id', { min: 1, max: MAX_EVENT_ID })),
  run_id: text('a run', { max: 128 }),
  task_id: text('a task', { max: 128 }),
  thread_id: required(id('a thread')),
  source: required(text('a word', { max: 64 })),
  event_type: required(choice(Object.keys(FACTS), 'what happened')),
  agent: required(text('who did it', { max: 64 })),
  status: required(choice(THREAD_STATUSES, 'a status')),
  summary: text('one line'),
  payload_json: required(json('the facts')),
  created_at: required(text('a time')),
}
const MESSAGE: Fields = {
  message_id: required(id('a message')),
  thread_id: required(id('a thread')),
  seq: required(int('a place', { min: 1 })),
  from_agent: required(name('an agent')),
  to_agent: required(name('an agent')),
  kind: required(choice(MESSAGE_KINDS, 'a kind')),
  summary: text('one line'),
  body: body('the message'),
  payload_json: required(json('data')),
  created_at: required(text('a time')),
}
const ARTIFACT: Fields = {
  artifact_id: required(id('an artifact')),
  message_id: required(id('a message')),
  path: required(path('a path')),
  kind: required(text('a word', { max: 64 })),
  metadata_json: required(json('data', { max: 16_384 })),
  created_at: required(text('a time')),
}

export type LogLine = { header: Partial<Header> } | { entry: LogEntry }

export function parseLine(line: string): LogLine {
  let value: unknown
  try {
    value = JSON.parse(line)
  } catch {
    throw new Error('it is not JSON')
  }
  if (!isRecord(value)) throw new Error('it is not an object')
  if ('mailroom' in value) return { header: value as Partial<Header> }
  const { event, message = null, ...more } = value
  checkEvent(event)
  if (message !== null) checkMessage(message)
  if (Object.keys(more).length > 0) throw new Error('it holds more than an event and its message')
  return { entry: { event, message } as LogEntry }
}

/** A header that cannot be trusted says that the whole file cannot. */
export function checkHeader({ mailroom, store, floor }: Partial<Header>) {
  if (mailroom !== FORMAT) {
    const format = JSON.stringify(mailroom)
    throw refuse('invalid_input', `the file has format ${format}; this program reads ${FORMAT}`)
  }
  const read = readInput(
    { floor: required(int('a number', { max: MAX_EVENT_ID })), store: id('a store') },
    { floor, store },
    { agent: undefined },
    (field) => `the header's ${field}`,
  )
  return { floor: read.floor, store: read.store ?? null }
}

function checkEvent(value: unknown): void {
  if (!isRecord(value)) throw new Error('it has no event')
  const { message_id = null, ...event } = value
  if (message_id !== null && typeof message_id !== 'string') {
    throw new Error('event.message_id is not text')
  }
  check(event, EVENT, 'event')
  const type = event.event_type as EventType
  if (type !== 'thread_lapse')
    check({ agent: event.agent }, { agent: required(name('who')) }, 'event')
  else if (event.agent !== SYSTEM) throw new Error(`event.agent of a lapse is not ${SYSTEM}`)
  const facts: unknown = JSON.parse(event.payload_json as string)
  if (!isRecord(facts)) throw new Error('event.payload_json is not an object')
  check(facts, FACTS[type], 'event.payload_json')
}

function checkMessage(value: unknown): void {
  if (!isRecord(value)) throw new Error('its message is not an object')
  const { artifacts, ...message } = value
  check(message, MESSAGE, 'message')
  if (!Array.isArray(artifacts) || artifacts.length > MOST_ARTIFACTS) {
    throw new Error(`message.artifacts is not a list of at most ${MOST_ARTIFACTS}`)
  }
  for (const artifact of artifacts) {
    if (!isRecord(artifact)) throw new Error('an artifact is not an object')
    check(artifact, ARTIFACT, 'artifact')
  }
}

function check(record: Record<string, unknown>, fields: Fields, what: string): void {
  for (const [key, { kind }] of Object.entries(fields)) {
    const type = kind === 'int' ? 'number' : 'string'
    if (typeof record[key] !== type) throw new Error(`${what}.${key} is not a ${type}`)
  }
  // A field that need not be given is stored as empty text.
  const given = Object.entries(record).filter(([, value]) => value !== '')
  readInput(fields, Object.fromEntries(given), { agent: undefined }, (key) => `${what}.${key}`)
  if ('created_at' in fields && !isInstant(record.created_at as string)) {
    throw new Error(`${what}.created_at is not a time like 2026-01-31T09:00:00.000Z`)
  }
}

/** Text order is time order only in this one form, for a lease's end too: so not in the last year. */
function isInstant(at: string): boolean {
  return !Number.isNaN(epochMs(at)) && toInstant(epochMs(at)) === at && at < '9999'
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
