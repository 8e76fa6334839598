// The shapes of what the events of threads, mail and deliveries say. Only import asks for them.

import type { Taken, ThreadFacts } from '../event.ts'
import {
  AGENT,
  ASSIGNEE,
  absentOr,
  choice,
  ID,
  INSTANT,
  int,
  listOf,
  nullOr,
  object,
  QUEUE,
  RECIPIENT,
  type Shapes,
  text,
} from '../fact-shape.ts'
import { EVIDENCE } from '../inbox/delivery.ts'
import { MAIL_SHAPES } from '../mail/mail-facts.ts'
import { MAX_LEASE_SECONDS } from '../threads/lease.ts'
import { PRIORITIES } from '../threads/thread.ts'
import { MESSAGE_KINDS } from '../vocabulary.ts'

const LEASE_SECONDS = int({ min: 1, max: MAX_LEASE_SECONDS })
const SEQ = int({ min: 1 })
const deliveries = { recipient: RECIPIENT, messages: listOf(ID, 1) }
const taken = object<Taken>({
  message_id: ID,
  seq: SEQ,
  kind: choice(MESSAGE_KINDS),
  expires_at: nullOr(INSTANT),
})

export const THREAD_SHAPES: {
  [Type in ThreadFacts['type']]: Shapes<Extract<ThreadFacts, { type: Type }>>
} = {
  thread_send: {
    subject: text(),
    assigned_to: ASSIGNEE,
    priority: choice(PRIORITIES),
    recipients: absentOr(listOf(RECIPIENT, 1)),
  },
  thread_append: {},
  thread_claim: {
    lease_token: text({ max: 128 }),
    lease_seconds: LEASE_SECONDS,
    instead_of: absentOr(listOf(RECIPIENT, 1)),
    handed: absentOr(listOf(ID, 1)),
  },
  thread_renew: { lease_seconds: LEASE_SECONDS },
  thread_update: { status: choice(['in_progress', 'blocked']) },
  thread_reply: {},
  thread_done: {},
  thread_fail: {},
  thread_cancel: {},
  thread_lapse: { assigned_to: absentOr(QUEUE) },
  thread_read: { message_id: ID, seq: SEQ },
  // Mail from elsewhere need not have a subject.
  mail_send: { subject: text({ orEmpty: true }), ...MAIL_SHAPES },
  mail_append: MAIL_SHAPES,
  delivery_present: { ...deliveries, by: choice(EVIDENCE) },
  delivery_read: { ...deliveries, by: choice(EVIDENCE) },
  delivery_bounce: { ...deliveries, reason: text() },
  delivery_expire: { ...deliveries, reason: text() },
  delivery_unread: deliveries,
  delivery_take: { recipient: AGENT, from: RECIPIENT, taken: listOf(taken, 1) },
}
