// The decisions about mail, as pure functions: (state, wish, moment) -> event.

import { quote, refuse } from '../error.ts'
import { EVENTS, type Facts, type SpokenEvent, SYSTEM, type ThreadEvent } from '../event.ts'
import type { Evidence } from '../inbox/delivery.ts'
import type { QueueItem } from '../inbox/delivery-facts.ts'
import { KINDS } from '../kinds.ts'
import { newThread, type Stamp, say, silentEvent, spokenEvent } from '../threads/commands.ts'
import type { ThreadState } from '../threads/evolve.ts'
import type { Words } from '../threads/message.ts'
import { isFinished, type Thread } from '../threads/thread.ts'
import type { Instant } from '../time.ts'
import type { MailType, MessageKind } from '../vocabulary.ts'
import type { MailFacts } from './mail-facts.ts'

export type PostWish = {
  from: string
  /** The address as written. */
  address: string
  recipients: string[]
  kind: MessageKind
  words: Words
  expires_at: Instant | null
}

/** A message that begins a new thread. */
export function post(want: PostWish & { thread_id: string }, stamp: Stamp): SpokenEvent {
  const { thread_id, from, address: to, kind, words, recipients, expires_at } = want
  const thread = newThread(thread_id)
  const facts: Facts = { type: 'mail_send', subject: words.summary, recipients, expires_at }
  return spokenEvent(thread, say(thread, { from, to, kind, words }, stamp), facts)
}

/** Imports a message that was written elsewhere at `created_at`, and possibly read there. */
export function importMail(
  want: PostWish & { thread_id: string; created_at: Instant; imported_by: string } & Pick<
      MailFacts,
      'read_by' | 'ended'
    >,
  stamp: Stamp,
): SpokenEvent {
  const { created_at, imported_by, read_by, ended } = want
  const { message, facts, ...event } = post(want, stamp)
  return {
    ...event,
    message: { ...message, created_at, imported_by },
    facts: {
      ...facts,
      ...(read_by === undefined ? {} : { read_by }),
      ...(ended === undefined ? {} : { ended }),
      ...(created_at < stamp.now ? { written_at: created_at } : {}),
      imported_by,
    } as typeof facts,
  }
}

/** A message in the same thread as the one it answers. */
export function postIn({ thread }: ThreadState, want: PostWish, stamp: Stamp): SpokenEvent {
  const { letters, answerWith } = KINDS[thread.kind]
  if (letters === undefined)
    throw refuse.invalid_state`thread ${thread.thread_id} is ${thread.kind}; answer there with ${answerWith(thread.thread_id)}`
  if (isFinished(thread) && letters.refuseLate) throw letters.refuseLate(thread.thread_id)
  const { from, address: to, kind, recipients, expires_at } = want
  const words = letters.inThread?.(want.words) ?? want.words
  const facts = { type: letters.event, recipients, expires_at } as Facts
  return spokenEvent(thread, say(thread, { from, to, kind, words }, stamp), facts)
}

type DeliveryMove =
  | { type: 'delivery_present' | 'delivery_read'; by: Evidence }
  | { type: 'delivery_bounce' | 'delivery_expire'; reason: string }
  | { type: 'delivery_unread' }

/** Creates the event for a step of one recipient's deliveries in one thread. */
export function step(
  thread: Thread,
  move: DeliveryMove,
  which: { recipient: string; messages: string[] },
  now: Instant,
): ThreadEvent {
  const isOwn = EVENTS[move.type].by !== 'system'
  return silentEvent(thread, isOwn ? which.recipient : SYSTEM, now, { ...move, ...which })
}

/** Moves a message from a role's queue to a member. */
export function takeFromQueue(
  thread: Thread,
  want: { recipient: string; from: string; taken: QueueItem[] },
  now: Instant,
): ThreadEvent {
  return silentEvent(thread, want.recipient, now, { type: 'delivery_take', ...want })
}

// The metadata of each type of mail. Additional fields are allowed.
const VERDICTS = ['approved', 'changes-requested', 'blocked'] as const

type Form = { is: (value: unknown) => boolean; means: string }

const isText = (value: unknown) => typeof value === 'string'
const isList = (value: unknown) => Array.isArray(value) && value.every(isText)
const isObject = (value: unknown) =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const LIST: Form = { is: isList, means: 'a list of texts' }
const TEXT: Form = { is: isText, means: 'a text' }
const WORDS: Form = { is: (value) => isText(value) || isList(value), means: 'a text or a list' }
const ANYTHING_SAID: Form = {
  is: (value) => isText(value) || isObject(value) || Array.isArray(value),
  means: 'a text, a list or an object',
}
const VERDICT: Form = {
  is: (value) => (VERDICTS as readonly unknown[]).includes(value),
  means: `one of ${VERDICTS.join(', ')}`,
}

const FORMS: Partial<Record<MailType, Record<string, Form>>> = {
  'task-assigned': { context: ANYTHING_SAID },
  'task-done': { files_changed: LIST, tests: ANYTHING_SAID },
  'review-request': { diff: TEXT, files: LIST, criteria: WORDS },
  'review-result': { verdict: VERDICT, comments: ANYTHING_SAID },
}

/** At least one field of each group is required. */
const NEEDED: Partial<Record<MailType, string[][]>> = {
  'review-request': [['diff', 'files'], ['criteria']],
  'review-result': [['verdict']],
}

export function checkMetadata(type: MailType, metadata: unknown): void {
  if (!isObject(metadata))
    throw refuse.invalid_input`metadata ${quoteValue(metadata)} is not an object: write {"name": value}`
  const given = metadata as Record<string, unknown>
  for (const [name, form] of Object.entries(FORMS[type] ?? {})) {
    const value = given[name]
    if (value === undefined || form.is(value)) continue
    throw refuse.invalid_input`metadata ${name} ${quoteValue(value)} of a ${type} is not ${form.means}`
  }
  for (const names of NEEDED[type] ?? []) {
    if (names.some((name) => given[name] !== undefined)) continue
    const forms = names.map((name) => `${name}, ${FORMS[type]?.[name]?.means}`)
    throw refuse.invalid_input`a ${type} needs metadata ${forms.join('; or ')}`
  }
}

/** Strings are quoted; any other value is shown as JSON. */
function quoteValue(value: unknown): string {
  return quote(typeof value === 'string' ? value : JSON.stringify(value))
}
