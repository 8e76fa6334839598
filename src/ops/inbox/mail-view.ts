// What callers see of mail: the mailbox's own fields and words.

import { isPerson, ORCHESTRATOR } from '../../core/agents/agent.ts'
import {
  type Delivery,
  type DeliveryState,
  hasReached,
  isUnread,
} from '../../core/inbox/delivery.ts'
import type { InboxItem } from '../../core/inbox/inbox-reads.ts'
import type { PushForm } from '../../core/pushes/push.ts'
import { readStored } from '../../core/shallow.ts'
import type { Message } from '../../core/threads/message.ts'
import type { Instant } from '../../core/time.ts'
import { type MailType, VOCABULARY } from '../../core/vocabulary.ts'
import type { DocView } from './doc-view.ts'

export type MailMessage = {
  id: string
  type: MailType
  from: string
  to: string
  subject: string
  body: string
  metadata: unknown
  issue_id?: string
  agent_id?: string
  in_reply_to?: string
  thread_id: string
  created_at: Instant
  /** Of what came from a file: who brought it in. */
  imported_by?: string
}

/** A message in somebody's inbox: with how far it has come there. */
export type InboxMessage = MailMessage & {
  read: boolean
  state: DeliveryState
  event_id: number
  /** Of a push. */
  entry?: { entry_id: string; form: PushForm; workspace_label: string; docs: DocView[] }
}

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

/** An agent's bare name is written out; every other address is as it was given. */
function asAddress(name: string): string {
  const isBare = !name.includes(':') && !name.startsWith('@')
  const isWord = name === ORCHESTRATOR || name === 'broadcast' || name === 'system'
  return isBare && !isWord && !isPerson(name) ? `agent:${name}` : name
}

const OF_A_RECEIPT = [
  'recipient',
  'state',
  'queued_at',
  'presented_at',
  'presented_by',
  'read_at',
  'read_by',
  'acted_at',
  'acted_by',
  'ended_at',
  'reason',
  'expires_at',
] as const

export type Receipt = Pick<Delivery, (typeof OF_A_RECEIPT)[number]>

export function viewReceipt(delivery: Delivery): Receipt {
  return Object.fromEntries(OF_A_RECEIPT.map((name) => [name, delivery[name]])) as Receipt
}
