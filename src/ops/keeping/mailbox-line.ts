// One line of a mailbox file: a whole message as one record. It leaves out the thread and the receipts, so it's suited
// to reading and moving mail, not to copying the log.

import { parseAddress } from '../../core/agents/address.ts'
import { ORCHESTRATOR } from '../../core/agents/agent.ts'
import { SYSTEM } from '../../core/event.ts'
import type { MailboxItem } from '../../core/keeping/keeper.ts'
import type { Message } from '../../core/threads/message.ts'
import { epochMs, type Instant, toInstant } from '../../core/time.ts'
import { MAIL_TYPES, type MailType } from '../../core/vocabulary.ts'
import { viewMail } from '../inbox/mail-view.ts'
import { mustKeepNumbers } from '../kit/exact-json.ts'
import { body, choice, flag, id, json, name, required, text } from '../kit/field.ts'
import { readInput } from '../kit/read-input.ts'
import { objectIn } from './log-facts.ts'

export type MailboxMessage = {
  id: string
  type: MailType
  from: string
  to: string
  subject?: string
  body: string
  metadata?: object
  issueId?: string
  agentId?: string
  read: boolean
  /** Set for a message that will never be read. */
  state?: 'bounced' | 'expired'
  createdAt: Instant
}

/** The record of a message. `read` is true once no recipient still has to read it. */
export function mailboxMessage(
  message: Omit<Message, 'artifacts'>,
  standing: MailboxItem['standing'],
): MailboxMessage {
  const { id, type, from, to, subject, body, metadata, ...mail } = viewMail(message)
  const data = metadata as object
  return {
    id,
    type,
    from,
    to,
    ...(subject === '' ? {} : { subject }),
    body,
    ...(Object.keys(data).length === 0 ? {} : { metadata: data }),
    ...(mail.issue_id === undefined ? {} : { issueId: mail.issue_id }),
    ...(mail.agent_id === undefined ? {} : { agentId: mail.agent_id }),
    read: standing === 'read',
    ...(standing === 'bounced' || standing === 'expired' ? { state: standing } : {}),
    createdAt: mail.created_at,
  }
}

export function mailboxJson(item: MailboxItem): string {
  return JSON.stringify(mailboxMessage(item, item.standing))
}

const FIELDS = {
  id: required(id('a message')),
  type: required(choice(MAIL_TYPES, 'its type')),
  from: required(text('who wrote it', { max: 140 })),
  to: required(text('who it is for', { max: 140 })),
  subject: text('one line'),
  body: required(body('the message')),
  metadata: json('data'),
  issueId: text('an issue', { max: 128 }),
  agentId: name('an agent'),
  read: required(flag('whether it was read')),
  state: text('what became of it', { max: 40 }),
  createdAt: required(text('a time', { max: 40 })),
}

/** A checked line, with the sender resolved to a name and the time normalized. */
export type ImportedMessage = Omit<MailboxMessage, 'metadata'> & {
  fromAgent: string
  payloadJson: string
}

export function parseMailboxLine(line: string): ImportedMessage {
  const value = objectIn(line)
  mustKeepNumbers(line, 'it')
  const given = Object.entries(value).filter(([key, part]) => key !== 'subject' || part !== '')
  const input = readInput(FIELDS, Object.fromEntries(given), { agent: undefined })
  const { metadata = '{}', createdAt, subject, issueId, agentId, state, ...rest } = input
  if (!metadata.startsWith('{')) throw new Error('metadata is not an object')
  parseAddress(rest.to, 'to')
  return {
    ...rest,
    ...(subject === undefined ? {} : { subject }),
    ...(issueId === undefined ? {} : { issueId }),
    ...(agentId === undefined ? {} : { agentId }),
    ...(!rest.read && (state === 'bounced' || state === 'expired') ? { state } : {}),
    fromAgent: senderOf(rest.from),
    payloadJson: metadata,
    createdAt: instantOf(createdAt),
  }
}

function senderOf(from: string): string {
  if (from === SYSTEM) return SYSTEM
  const address = parseAddress(from, 'from')
  if (address.to === 'agent') return address.agent_id
  if (address.to === 'person') return address.person_id
  if (address.to === 'orchestrator') return ORCHESTRATOR
  throw new Error(`from ${from} is not an agent or a person`)
}

const ISO = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d{1,9})?)?(Z|[+-]\d\d:\d\d)$/

function instantOf(at: string): Instant {
  const ms = ISO.test(at) ? epochMs(at) : Number.NaN
  // Times are compared as strings, which works only for four-digit years.
  if (!Number.isNaN(ms) && toInstant(ms) < '9999' && ms >= 0) return toInstant(ms)
  throw new Error('createdAt is not a time like 2026-01-31T09:00:00Z')
}
