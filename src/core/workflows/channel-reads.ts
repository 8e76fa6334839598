// The store's answers about instances and their channels.

import type { InboxPlace } from '../inbox/inbox-reads.ts'
import type { Message } from '../threads/message.ts'
import type { Thread } from '../threads/thread.ts'
import type { Instant } from '../time.ts'
import type { EntryMessage } from './channel.ts'
import type { HeldInstance } from './instance.ts'

export interface ChannelReads {
  instance(name: string): Promise<HeldInstance | null>
  /** The instance whose run was the last to begin in a folder. */
  instanceInDir(dir: string): Promise<HeldInstance | null>
  /** The entries of a channel after a place, or the last ones (before a place, if it is given); always in order. */
  entries(filter: EntryFilter): Promise<EntryMessage[]>
  /** The place of the last entry that is not after this moment, or 0. */
  entriesUntil(threadId: string, at: Instant): Promise<number>
  /** The place of a delivery in its recipient's inbox; null if the message was not for them. */
  deliveryPlace(which: {
    thread_id: string
    message_id: string
    recipient: string
  }): Promise<number | null>
  /** Unread deliveries from before this moment, and those of the moment itself that were shown. */
  unreadUntil(recipient: string, at: Instant): Promise<InboxPlace[]>
  /** How much an agent has said in a channel since its turn began, counted up to a limit; 0 outside a turn. */
  entriesInTurn(which: { agent: string; thread: string; limit: number }): Promise<number>
  /** Everyone for whom something in this thread is not read. */
  recipientsWaiting(threadId: string): Promise<string[]>
}

export type EntryFilter = { thread: string; limit: number } & (
  | { after: number }
  | { last: true; before?: number | undefined }
)

export interface ChannelLooks {
  /** Channels that were quiet since before then, and that nobody goes on with or has to read. */
  prunableChannels(before: Instant, limit: number): Promise<Thread[]>
  /** In the order of their names; only those that run, if that is asked for. */
  instances(filter: { running?: boolean; after?: string; limit: number }): Promise<HeldInstance[]>
}

// The store's answers for people who look at channels from outside: many at once, and one at a glance.

export interface OverviewLooks {
  /** The instances that have ended, the latest first; after one of them, if that is given. */
  endedInstances(filter: { before?: EndedPlace; limit: number }): Promise<HeldInstance[]>
  /** How long these channels are, and when each was last written in. */
  channelStandings(threads: readonly string[]): Promise<ChannelStanding[]>
  /** How much in each of these channels this person has not read. */
  unreadInChannels(recipient: string, threads: readonly string[]): Promise<Map<string, number>>
  /** How many messages wait for each of these agents. */
  unreadOfAgents(agents: readonly string[]): Promise<Map<string, number>>
  /** The latest words of each of these agents, in whichever thread. */
  lastSaid(agents: readonly string[]): Promise<SaidLast[]>
}

export type EndedPlace = { ended_at: string; instance: string }

export type ChannelStanding = { thread_id: string; entries: number; last_at: string }

export type SaidLast = Pick<Message, 'from_agent' | 'thread_id' | 'seq' | 'summary' | 'created_at'>
