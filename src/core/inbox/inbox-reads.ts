// What a store answers about deliveries: to their recipient, and to whoever sent them.

import type { Message } from '../threads/message.ts'
import type { Instant } from '../time.ts'
import type { MessageKind } from '../vocabulary.ts'
import type { Delivery, DeliveryState } from './delivery.ts'

export interface InboxReads {
  /** Deliveries in the order of the log: so many, and no more than there is room for. */
  inbox(filter: InboxFilter): Promise<InboxItem[]>
  /** What is unread, without its texts, but for what one has written itself. */
  heads(filter: HeadFilter): Promise<InboxHead[]>
  /** How many are unread. */
  unread(recipient: string): Promise<number>
  /** Where the recipient's unread deliveries are, overdue ones too, from the first to the last of these events. */
  unreadPlaces(recipient: string, first: number, last: number): Promise<Place[]>
  /** Of these messages those that exist, with their way to this recipient. */
  named(recipient: string, messages: readonly string[]): Promise<NamedMessage[]>
  /** What the recipient has not read in these threads, overdue or not. */
  unreadIn(recipient: string, threads: readonly string[]): Promise<Place[]>
  /** A word to stop that this recipient has not yet read. */
  stopFor(recipient: string): Promise<InboxItem | null>
}

export interface ReceiptReads {
  /** Whether something in it was for this one. */
  hasGot(threadId: string, recipient: string): Promise<boolean>
  /** Of one message, or of all in its thread. */
  deliveriesOf(which: { thread_id: string; message_id?: string | undefined }): Promise<Delivery[]>
  /** Unread deliveries whose time has passed, the longest first. */
  expired(now: Instant, limit: number): Promise<Delivery[]>
  /** What was said but the bookkeeping. */
  sentBy(filter: SentFilter): Promise<Omit<Message, 'artifacts'>[]>
}

/** By one agent, or in one thread, the latest first; of long texts only the beginning. */
export type SentFilter = ({ agent: string } | { thread: string; agent?: string | undefined }) & {
  /** Only what was sent before this one. */
  before?: Pick<Message, 'message_id' | 'created_at' | 'seq'> | undefined
  limit: number
}

/** A delivery with the message it delivers. */
export type InboxItem = Delivery & Omit<Message, 'artifacts' | keyof Delivery>

/** As much of it as moving it takes. */
export type InboxHead = Delivery & Pick<Message, 'from_agent' | 'summary' | 'hops'>

/** A delivery without what it delivers. */
export type Place = Pick<Delivery, 'event_id' | 'message_id' | 'thread_id' | 'state' | 'expires_at'>

/** A message and how far it has come to one recipient; nulls when it was not for that one. */
export type NamedMessage = Pick<Delivery, 'message_id' | 'thread_id'> & {
  state: DeliveryState | null
}

export type InboxFilter = {
  recipient: string
  unreadOnly: boolean
  /** Only what was sent after this event. */
  after: number
  /**
   * Only what was sent after this moment; and what was stored after the first message of this moment
   * and not yet presented, whatever its time: clocks of parallel writers may disagree. Where it is the
   * time of a message, what was stored before that and presented is left out, whatever its time.
   */
  since?: Instant | undefined
  kinds?: readonly MessageKind[] | undefined
  limit: number
}

export type HeadFilter = {
  recipient: string
  after: number
  /** Whose are left out. */
  notFrom?: string | undefined
  limit: number
}
