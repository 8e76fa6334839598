// A delivery is one message for one recipient, with what is known about its progress. It is never shown as further
// along than it is: each step records its time and its evidence.
//
// (1) queued: stored, in the recipient's inbox. presented: the message was handed to the recipient's door. read: the
//     recipient marked or opened it. acted: the recipient answered it, or was shown it and then wrote in the thread.
// (2) States only go forward. A message that is presented but not read is presented again at the next check.
// (3) Unread means queued or presented, or kept unread by its reader. Keeping a message unread doesn't move its state
//     back, and lasts until the next read. All code that counts or lists unread messages uses this one definition; only
//     the ladder itself (what may expire, bounce or wake) uses the state alone.
//
// Rules (4) to (6), what each event does to deliveries, are in delivery-steps.ts.

import type { Instant } from '../time.ts'
import type { MessageKind } from '../vocabulary.ts'

export const DELIVERY_STATES = [
  'queued',
  'presented',
  'read',
  'acted',
  'bounced',
  'expired',
] as const
export type DeliveryState = (typeof DELIVERY_STATES)[number]

const BEFORE_READ = ['queued', 'presented'] as const satisfies readonly DeliveryState[]

export function isBeforeRead(state: DeliveryState): boolean {
  return (BEFORE_READ as readonly DeliveryState[]).includes(state)
}

/** In SQL this is `unread(d)`. */
export function isUnread({ state, unread_at }: Pick<Delivery, 'state' | 'unread_at'>): boolean {
  return isBeforeRead(state) || unread_at !== null
}

/** The reason recorded for a delivery that wasn't read by the sender's deadline. */
export const TOO_LATE = 'it was not read in time'

export function isOverdue(
  { state, expires_at }: Pick<Delivery, 'state' | 'expires_at'>,
  now: Instant,
): boolean {
  return isBeforeRead(state) && expires_at !== null && expires_at <= now
}

/** The delivery as of now: an overdue one has expired even if the log doesn't say so yet. */
export function expireIfOverdue<
  One extends Pick<Delivery, 'state' | 'expires_at' | 'ended_at' | 'reason'>,
>(one: One, now: Instant): One {
  if (!isOverdue(one, now)) return one
  return { ...one, state: 'expired', ended_at: one.expires_at, reason: TOO_LATE }
}

/** The states each state can change to. A state with no successors is final. */
export const LADDER = {
  queued: ['presented', 'read', 'acted', 'bounced', 'expired'],
  presented: ['read', 'acted', 'bounced', 'expired'],
  read: ['acted'],
  acted: [],
  bounced: [],
  expired: [],
} as const satisfies Record<DeliveryState, readonly DeliveryState[]>

export function mayBecome(from: DeliveryState, to: DeliveryState): boolean {
  return (LADDER[from] as readonly DeliveryState[]).includes(to)
}

/** The steps that a sender can wait for. */
export const LEVELS = ['presented', 'read', 'acted'] as const
export type Level = (typeof LEVELS)[number]

export function hasReached(state: DeliveryState, level: Level): boolean {
  const order: readonly DeliveryState[] = ['queued', ...LEVELS]
  return order.indexOf(state) >= order.indexOf(level)
}

export const EVIDENCE = [
  'cli',
  'library',
  'mcp',
  'http',
  'hook',
  'web',
  'wake',
  'turn',
  'show',
  'mark',
  'import',
] as const
export type Evidence = (typeof EVIDENCE)[number]

export type Delivery = {
  recipient: string
  event_id: number
  message_id: string
  thread_id: string
  seq: number
  kind: MessageKind
  state: DeliveryState
  queued_at: Instant
  presented_at: Instant | null
  presented_by: string | null
  read_at: Instant | null
  read_by: string | null
  acted_at: Instant | null
  acted_by: string | null
  ended_at: Instant | null
  reason: string | null
  expires_at: Instant | null
  /** When the reader began to keep it unread after reading it. */
  unread_at: Instant | null
}

/** The fields that show the sender how far a delivery has progressed. */
export const RECEIPT_FIELDS = [
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
] as const satisfies readonly (keyof Delivery)[]

/** A delivery as its event stores it. The event gives it its id. */
export type NewDelivery = Pick<
  Delivery,
  | 'recipient'
  | 'message_id'
  | 'thread_id'
  | 'seq'
  | 'kind'
  | 'state'
  | 'queued_at'
  | 'expires_at'
  | 'read_at'
  | 'read_by'
>

export const UNTOUCHED = {
  presented_at: null,
  presented_by: null,
  read_at: null,
  read_by: null,
  acted_at: null,
  acted_by: null,
  ended_at: null,
  reason: null,
  unread_at: null,
} as const
