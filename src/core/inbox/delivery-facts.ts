// The facts of deliveries in threads of every kind, and what each of their events may be.

import type { EventsOf } from '../event.ts'
import {
  AGENT,
  choice,
  ID,
  INSTANT,
  int,
  listOf,
  nullOr,
  object,
  PERSON,
  RECIPIENT,
  text,
} from '../fact-shape.ts'
import { MESSAGE_KINDS } from '../vocabulary.ts'
import { type Delivery, EVIDENCE } from './delivery.ts'

/** A step of deliveries of one recipient in one thread. */
export type DeliveryFacts = { recipient: string; messages: string[] }

/** A message of a role's queue in full, because the taker gets a delivery of its own. */
export type QueueItem = Pick<Delivery, 'message_id' | 'seq' | 'kind' | 'expires_at'>

export type InboxFacts =
  | ({ type: 'delivery_present'; by: string } & DeliveryFacts)
  | ({ type: 'delivery_read'; by: string } & DeliveryFacts)
  | ({ type: 'delivery_bounce'; reason: string } & DeliveryFacts)
  | ({ type: 'delivery_expire'; reason: string } & DeliveryFacts)
  | { type: 'delivery_take'; recipient: string; from: string; taken: QueueItem[] }
  | ({ type: 'delivery_unread' } & DeliveryFacts)

const STEP = { in: 'any', move: 'read' } as const
const STEP_FACTS = { recipient: RECIPIENT, messages: listOf(ID, 1) }
const BY = choice(EVIDENCE)
const QUEUE_ITEM = object<QueueItem>({
  message_id: ID,
  seq: int({ min: 1 }),
  kind: choice(MESSAGE_KINDS),
  expires_at: nullOr(INSTANT),
})

export const INBOX_EVENTS: EventsOf<InboxFacts> = {
  delivery_present: { ...STEP, quiet: true, facts: { ...STEP_FACTS, by: BY } },
  delivery_read: { ...STEP, quiet: true, facts: { ...STEP_FACTS, by: BY } },
  // Only people keep something unread.
  delivery_unread: { ...STEP, quiet: true, facts: { ...STEP_FACTS, recipient: PERSON } },
  delivery_take: {
    ...STEP,
    facts: { recipient: AGENT, from: RECIPIENT, taken: listOf(QUEUE_ITEM, 1) },
  },
  delivery_bounce: { ...STEP, by: 'system', facts: { ...STEP_FACTS, reason: text() } },
  delivery_expire: { ...STEP, by: 'system', facts: { ...STEP_FACTS, reason: text() } },
}
