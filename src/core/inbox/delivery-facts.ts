// The facts of deliveries in threads of every kind, and the rules of each event.

import type { EventsOf } from '../event.ts'
import {
  AGENT,
  choice,
  type FactsOf,
  ID,
  INSTANT,
  int,
  listOf,
  nullOr,
  object,
  PERSON,
  RECIPIENT,
  type ShapeValue,
  type ShapeValues,
  text,
} from '../shape.ts'
import { MESSAGE_KINDS } from '../vocabulary.ts'
import { EVIDENCE } from './delivery.ts'

/** The full details of a message from a role's queue, because the taker gets a new delivery. */
const QUEUE_ITEM = object({
  message_id: ID,
  seq: int({ min: 1 }),
  kind: choice(MESSAGE_KINDS),
  expires_at: nullOr(INSTANT),
})
export type QueueItem = ShapeValue<typeof QUEUE_ITEM>

/** A step of one recipient's deliveries in one thread. */
const STEP_FACTS = { recipient: RECIPIENT, messages: listOf(ID, 1) }
export type DeliveryFacts = ShapeValues<typeof STEP_FACTS>

const FACTS = {
  delivery_present: { ...STEP_FACTS, by: choice(EVIDENCE) },
  delivery_read: { ...STEP_FACTS, by: choice(EVIDENCE) },
  // Only people can keep something unread.
  delivery_unread: { ...STEP_FACTS, recipient: PERSON },
  delivery_take: { recipient: AGENT, from: RECIPIENT, taken: listOf(QUEUE_ITEM, 1) },
  delivery_bounce: { ...STEP_FACTS, reason: text() },
  delivery_expire: { ...STEP_FACTS, reason: text() },
}
export type InboxFacts = FactsOf<typeof FACTS>

const STEP = { in: 'any', move: 'read' } as const

export const INBOX_EVENTS: EventsOf<InboxFacts> = {
  delivery_present: { ...STEP, quiet: true, facts: FACTS.delivery_present },
  delivery_read: { ...STEP, quiet: true, facts: FACTS.delivery_read },
  delivery_unread: { ...STEP, quiet: true, facts: FACTS.delivery_unread },
  delivery_take: { ...STEP, facts: FACTS.delivery_take },
  delivery_bounce: { ...STEP, by: 'system', facts: FACTS.delivery_bounce },
  delivery_expire: { ...STEP, by: 'system', facts: FACTS.delivery_expire },
}
