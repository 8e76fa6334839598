import type { Message } from '../threads/message.ts'
import type { Instant } from '../time.ts'
import type { MessageKind } from '../vocabulary.ts'
import type { Delivery, DeliveryState } from './delivery.ts'

export interface InboxReads {
  /** Deliveries in the order of the log, at most `limit` and only as many as fit (page-bytes.ts). */
  inbox(filter: InboxFilter): Promise<InboxItem[]>
  /** Unread deliveries of messages not sent by `notFrom`, without bodies and payloads. */
  heads(filter: HeadFilter): Promise<InboxHead[]>
  unread(recipient: string): Promise<number>
  /**
   * The places of the recipient's unread deliveries from the first to the last of these events, including overdue
   * deliveries.
   */
  unreadPlaces(recipient: string, first: number, last: number): Promise<InboxPlace[]>
  /** The state of these messages for this recipient. Messages that don't exist are left out. */
  named(recipient: string, messages: readonly string[]): Promise<NamedMessage[]>
  /** The recipient's unread deliveries in these threads, overdue or not. */
  unreadIn(recipient: string, threads: readonly string[]): Promise<InboxPlace[]>
  /**
   * The unread message that tells this recipient to stop: mail of type cancel or, if a thread is given, that thread's
   * cancellation. One that was never presented comes first.
   */
  stopFor(recipient: string, threadId?: string): Promise<StopItem | null>
  hasGot(threadId: string, recipient: string): Promise<boolean>
  /** The deliveries of one message, or of all messages in its thread. */
  deliveriesOf(which: { thread_id: string; message_id?: string | undefined }): Promise<Delivery[]>
  /** Unread deliveries past their expiry, longest overdue first. */
  expired(now: Instant, limit: number): Promise<Delivery[]>
  /** Messages other than bookkeeping, at most one page. */
  sentBy(filter: SentFilter): Promise<SentPiece>
}

export type SentMessage = Omit<Message, 'artifacts'>

/** `isCut` is true if some messages were left out because they didn't fit. */
export type SentPiece = { sent: SentMessage[]; isCut: boolean }

/** The messages of one agent or in one thread, latest first. Long messages are cut. */
export type SentFilter = ({ agent: string } | { thread: string; agent?: string | undefined }) & {
  before?: Pick<Message, 'message_id' | 'created_at' | 'seq'> | undefined
  limit: number
}

export type InboxItem = Delivery & Omit<Message, 'artifacts' | keyof Delivery>

/**
 * A message that tells an agent to stop. Mail of type cancel stops everything it does, a canceled thread stops only the
 * work there, and a rejected review stops only that agent run.
 */
export type StopItem = InboxItem & { about: 'agent' | 'thread' | 'agent_run' }

/** A delivery, with the message fields needed to move it. */
export type InboxHead = Delivery & Pick<Message, 'from_agent' | 'summary' | 'hops'>

export type InboxPlace = Pick<
  Delivery,
  'event_id' | 'message_id' | 'thread_id' | 'state' | 'expires_at'
>

/** A message and its progress for one recipient. `state` is null if it wasn't addressed to them. */
export type NamedMessage = Pick<Delivery, 'message_id' | 'thread_id'> & {
  state: DeliveryState | null
}

export type InboxFilter = {
  recipient: string
  unreadOnly: boolean
  after: number
  /**
   * Only messages sent after this moment. Because concurrent writers' clocks may disagree, messages stored after the
   * first message of this moment are included until they're presented, whatever their time. If a message was sent at
   * exactly this moment, messages stored before it are left out once presented, even if their time is later.
   */
  since?: Instant | undefined
  kinds?: readonly MessageKind[] | undefined
  limit: number
}

export type HeadFilter = {
  recipient: string
  after: number
  notFrom?: string | undefined
  limit: number
}
