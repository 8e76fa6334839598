// Mail as callers see it, in the mailbox's field names and vocabulary.

import { isPerson, ORCHESTRATOR } from '../../core/agents/agent.ts'
import {
  type Delivery,
  type DeliveryState,
  hasReached,
  isUnread,
  RECEIPT_FIELDS,
} from '../../core/inbox/delivery.ts'
import type { InboxItem } from '../../core/inbox/inbox-reads.ts'
import type { PushForm } from '../../core/pushes/push.ts'
import { readStored } from '../../core/shallow.ts'
import type { Message } from '../../core/threads/message.ts'
import { type MailType, VOCABULARY } from '../../core/vocabulary.ts'
import {
  type AnswerOf,
  type AnswerRecord,
  aFlag,
  aList,
  anything,
  aRecord,
  aRow,
  aText,
  EVENT_ID,
  maybe,
  orNull,
} from '../kit/answer.ts'
import { DOC } from './view.ts'

export function viewMail(message: Omit<Message, 'artifacts'>): MailMessage {
  const { issue_id, agent_id, in_reply_to, imported_by } = message
  return {
    id: message.message_id,
    type: VOCABULARY[message.kind].type,
    from: asAddress(message.from_agent),
    to: asAddress(message.to_agent),
    subject: message.summary,
    body: message.body,
    metadata: readStored(message.payload_json),
    ...(issue_id === null ? {} : { issue_id }),
    ...(agent_id === null ? {} : { agent_id }),
    ...(in_reply_to === null ? {} : { in_reply_to }),
    thread_id: message.thread_id,
    created_at: message.created_at,
    ...(imported_by === null ? {} : { imported_by }),
  }
}

export function viewItem(item: InboxItem): InboxMessage {
  const { state, event_id } = item
  const read = hasReached(state, 'read') && !isUnread(item)
  return { ...viewMail(item), read, state, event_id }
}

/** An agent's bare name gets its prefix; every other address is unchanged. */
function asAddress(name: string): string {
  const isBare = !name.includes(':') && !name.startsWith('@')
  const isWord = name === ORCHESTRATOR || name === 'broadcast' || name === 'system'
  return isBare && !isWord && !isPerson(name) ? `agent:${name}` : name
}

export type Receipt = Pick<Delivery, (typeof RECEIPT_FIELDS)[number]>

export function viewReceipt(delivery: Delivery): Receipt {
  return Object.fromEntries(RECEIPT_FIELDS.map((name) => [name, delivery[name]])) as Receipt
}

export const MAIL_HOLDS = {
  id: aText("the message's id"),
  type: aText<MailType>('task-assigned, task-done, question, answer, cancel, status, custom, …'),
  from: aText('agent:NAME, orchestrator, user, user:NAME or system'),
  to: aText('the address as written'),
  subject: aText('the message in one line'),
  body: aText('the message'),
  metadata: anything('data that came with it'),
  issue_id: maybe(aText('the issue it is about')),
  agent_id: maybe(aText('the agent it is about')),
  in_reply_to: maybe(aText('the message it answers')),
  thread_id: aText('its thread'),
  created_at: aText('when it was written'),
  imported_by: maybe(aText('who imported it, if it came from a file')),
}

export type MailMessage = AnswerOf<typeof MAIL_HOLDS>

export const MAIL = aRow<MailMessage>('mail', 'the message', MAIL_HOLDS)

export const INBOX_MAIL = aRecord('unread mail', 'a message in the inbox', {
  ...MAIL_HOLDS,
  read: aFlag('whether it was read'),
  state: aText<DeliveryState>('queued, presented, read, acted, bounced or expired'),
  event_id: EVENT_ID,
  entry: maybe(
    aRecord('pushed', 'the documents that a push refers to', {
      entry_id: aText("the push's id"),
      form: aText<PushForm>('push or notification'),
      workspace_label: aText('the label of its workspace, or empty'),
      docs: aList(DOC, 'its documents'),
    }),
  ),
})

export type InboxMessage = AnswerRecord<typeof INBOX_MAIL>

export const RECEIPT = aRow<Receipt>('receipt', 'how far it has come for one recipient', {
  recipient: aText('who it is for'),
  state: aText('queued, presented, read, acted, bounced or expired'),
  queued_at: aText('when it was put into the inbox'),
  presented_at: orNull(aText('when its text went out')),
  presented_by: orNull(aText('by which door')),
  read_at: orNull(aText('when it was read')),
  read_by: orNull(aText('the evidence for it')),
  acted_at: orNull(aText('when it was acted on')),
  acted_by: orNull(aText('the evidence for it')),
  ended_at: orNull(aText('when it bounced or expired')),
  reason: orNull(aText('why')),
  expires_at: orNull(aText('the deadline for reading it')),
})
