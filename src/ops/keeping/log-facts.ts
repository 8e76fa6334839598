// The facts of every type of event, as rules: what each must hold, and that it holds no more.

import { isAgentId, parseAddress } from '../../core/agents/address.ts'
import { AGENT_STATUSES, isPerson, personId } from '../../core/agents/agent.ts'
import type { EventType } from '../../core/event.ts'
import { TOKEN_HOLDERS, TOKEN_KINDS } from '../../core/identity/token.ts'
import { LONGEST_LABEL } from '../../core/identity/workspace.ts'
import { EVIDENCE } from '../../core/inbox/delivery.ts'
import { TOOL_SETS } from '../../core/principal.ts'
import { PUSH_FORMS } from '../../core/pushes/push.ts'
import { MAX_LEASE_SECONDS } from '../../core/threads/lease.ts'
import { PRIORITIES } from '../../core/threads/thread.ts'
import { epochMs, toInstant } from '../../core/time.ts'
import { MESSAGE_KINDS } from '../../core/vocabulary.ts'
import { changedWake, checkWake, WAKE_FIELDS } from '../agents/wake-settings.ts'
import { body, choice, type Field, id, int, name, path, required, text } from '../kit/field.ts'
import { readInput } from '../kit/read-input.ts'

/** Throws what is wrong with the value; `label` says where it stands. */
export type Rule = (value: unknown, label: string) => void

/** Ids must go on growing after the import, in numbers that are exact and that a shell flag takes. */
export const MAX_EVENT_ID = 2 ** 49
/** Nobody sends to so many, or steps so many at once. */
const MOST = 100_000

/** Like an operation's input; a field that need not be given is stored as empty text. */
export function field(like: Field): Rule {
  const type = like.kind === 'int' ? 'number' : 'string'
  return (value, label) => {
    if (typeof value !== type) throw new Error(`${label} is not a ${type}`)
    const given = value === '' ? {} : { [label]: value }
    readInput({ [label]: like }, given, { agent: undefined })
  }
}

export function record(rules: Record<string, Rule>): Rule {
  return (value, label) => {
    if (!isRecord(value)) throw new Error(`${label} is not an object`)
    for (const key of Object.keys(value)) {
      if (!Object.hasOwn(rules, key)) throw new Error(`${label}.${key} is not known here`)
    }
    for (const [key, rule] of Object.entries(rules)) rule(value[key], `${label}.${key}`)
  }
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

export const orNull =
  (rule: Rule): Rule =>
  (value, label) =>
    value === null ? undefined : rule(value, label)

/** May be left out, but then altogether. */
const ifGiven =
  (rule: Rule): Rule =>
  (value, label) =>
    value === undefined ? undefined : rule(value, label)

/** A list of different things. */
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

/** Text order is time order only in this one form, for a lease's end too: so not in the last year. */
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
/** Whom work may be for: an agent, a person, or any of a role. */
export const ASSIGNEE: Rule = (value, label) => {
  const rule = String(value).startsWith('role:') ? QUEUE : field(required(name('an agent')))
  rule(value, label)
}
/** What mail may be sent to, as it was written. */
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

const MESSAGE_ID = field(required(id('a message')))
const LEASE_SECONDS = field(required(int('a lease', { min: 1, max: MAX_LEASE_SECONDS })))
const SEQ = field(required(int('a place', { min: 1 })))
const COUNT = field(required(int('a number')))
const LINE = field(required(text('one line')))
const BY = field(required(choice(EVIDENCE, 'by what it is known')))
const ROLE = is('a role', (role) => role === '' || isAddress(`role:${role}`))

const IMPORTER = field(required(name('who brought it in')))

const mail = {
  recipients: listOf(RECIPIENT, 0),
  expires_at: orNull(INSTANT),
  read_by: ifGiven(BY),
  ended: ifGiven(field(required(choice(['bounced', 'expired'], 'an end')))),
  written_at: ifGiven(INSTANT),
  imported_by: ifGiven(IMPORTER),
}
const deliveries = { recipient: RECIPIENT, messages: listOf(MESSAGE_ID, 1) }
const taken = record({
  message_id: MESSAGE_ID,
  seq: SEQ,
  kind: field(required(choice(MESSAGE_KINDS, 'a kind'))),
  expires_at: orNull(INSTANT),
})

const workspace = {
  workspace_id: field(required(id('a workspace'))),
  label: field(required(text('one line', { max: LONGEST_LABEL }))),
  default_agent: is('an agent', (value) => isAgentId(value) && !isNobodysAgent(value)),
}
const isNobodysAgent = (name: string) => isPerson(name) || ['system', 'broadcast'].includes(name)
const TOKEN_ID = is('the id of a token', (value) => /^tok_[0-9a-z]{26}$/.test(value))

/** Settings that registering would have made. */
const WAKE: Rule = (value, label) => {
  if (!isRecord(value)) throw new Error(`${label} is not an object`)
  const { command, cwd, types, quiet, timer_since, ...rest } = value
  if (timer_since !== undefined) INSTANT(timer_since, `${label}.timer_since`)
  const given: Record<string, unknown> = { wake_cwd: cwd, wake_types: types }
  if (command !== undefined) given.wake_command = JSON.stringify(command)
  if (quiet !== undefined) given.wake_quiet = Array.isArray(quiet) ? quiet.join('-') : quiet
  for (const [key, one] of Object.entries(rest)) given[`wake_${key}`] = one
  const input = readInput(WAKE_FIELDS, given, { agent: undefined })
  checkWake(input)
  const words = (settings: object) => JSON.stringify(Object.entries(settings).sort())
  if (words(changedWake({}, input, String(timer_since))) !== words(value))
    throw new Error(`${label} is in another form`)
}

export const FACTS: Record<EventType, Rule> = {
  thread_send: record({
    subject: LINE,
    assigned_to: ASSIGNEE,
    priority: field(required(choice(PRIORITIES, 'a priority'))),
    recipients: ifGiven(listOf(RECIPIENT, 1)),
  }),
  thread_append: record({}),
  thread_claim: record({
    lease_token: field(required(text('a token', { max: 128 }))),
    lease_seconds: LEASE_SECONDS,
    instead_of: ifGiven(listOf(RECIPIENT, 1)),
    handed: ifGiven(listOf(MESSAGE_ID, 1)),
  }),
  thread_renew: record({ lease_seconds: LEASE_SECONDS }),
  thread_update: record({
    status: field(required(choice(['in_progress', 'blocked'], 'a status'))),
  }),
  thread_reply: record({}),
  thread_done: record({}),
  thread_fail: record({}),
  thread_cancel: record({}),
  thread_lapse: record({ assigned_to: ifGiven(QUEUE) }),
  thread_read: record({ message_id: MESSAGE_ID, seq: SEQ }),
  // Mail from elsewhere need not have a subject.
  mail_send: record({ subject: field(text('one line')), ...mail }),
  mail_append: record(mail),
  delivery_present: record({ ...deliveries, by: BY }),
  delivery_read: record({ ...deliveries, by: BY }),
  delivery_bounce: record({ ...deliveries, reason: LINE }),
  delivery_expire: record({ ...deliveries, reason: LINE }),
  delivery_unread: record(deliveries),
  push_send: record({
    recipients: listOf(RECIPIENT, 1),
    workspace_id: field(id('a workspace')),
    workspace_label: field(text('what it is called', { max: 200 })),
    form: field(required(choice(PUSH_FORMS, 'a form'))),
    made_at: ifGiven(INSTANT),
    imported_by: ifGiven(IMPORTER),
  }),
  push_reply: record(mail),
  push_trash: record({}),
  push_restore: record({}),
  push_delete: record({ recipients: listOf(RECIPIENT, 1) }),
  delivery_take: record({ recipient: AGENT, from: RECIPIENT, taken: listOf(taken, 1) }),
  agent_register: record({
    agent_id: AGENT,
    role: ROLE,
    parent_agent_id: orNull(AGENT),
    paired_person: orNull(PERSON),
    source: field(required(text('a word', { max: 64 }))),
    may_write_to_user: FLAG,
    wake: WAKE,
  }),
  agent_declare: record({
    agent_id: AGENT,
    status: field(required(choice(AGENT_STATUSES, 'a status'))),
  }),
  person_add: record({ person_id: PERSON }),
  wake_start: record({
    wake_id: field(required(id('a wake'))),
    agent_id: AGENT,
    cause: field(required(choice(['mail', 'timer'], 'a cause'))),
    upto_event: field(required(int('an event', { max: MAX_EVENT_ID }))),
    attempt: COUNT,
    hops: COUNT,
    token: field(required(text('a token', { max: 128 }))),
    expires_at: INSTANT,
  }),
  wake_end: record({
    wake_id: field(required(id('a wake'))),
    agent_id: AGENT,
    state: field(required(choice(['ended', 'failed', 'lost'], 'a state'))),
    exit_code: orNull(field(required(int('an exit code', { min: -(2 ** 31), max: 2 ** 31 })))),
    upto_event: field(required(int('an event', { max: MAX_EVENT_ID }))),
    reason: field(text('one line')),
    stderr: field(body('its last words', { max: 4096 })),
  }),
  workspace_add: record({ ...workspace, path: field(required(path('a folder'))) }),
  workspace_change: record(workspace),
  workspace_remove: record({ workspace_id: workspace.workspace_id }),
  token_issue: record({
    token_id: TOKEN_ID,
    kind: field(required(choice(TOKEN_KINDS, 'a kind'))),
    principal_kind: field(required(choice(TOKEN_HOLDERS, 'a kind of principal'))),
    principal_name: field(required(name('who'))),
    workspace_id: orNull(field(required(id('a workspace')))),
    sets: listOf(field(required(choice(TOOL_SETS, 'a set'))), 0),
    label: field(text('one line', { max: LONGEST_LABEL })),
    expires_at: orNull(INSTANT),
  }),
  token_revoke: record({ token_id: TOKEN_ID }),
}
