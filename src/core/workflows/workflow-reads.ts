import type { InboxPlace } from '../inbox/inbox-reads.ts'
import type { Message } from '../threads/message.ts'
import type { Instant } from '../time.ts'
import type { EntryMessage } from './channel.ts'
import type { DocumentRevision } from './document-record.ts'
import type { HeldInstance } from './instance.ts'

export interface ChannelReads {
  instance(name: string): Promise<HeldInstance | null>
  /** The instance last started in a folder. */
  instanceInDir(dir: string): Promise<HeldInstance | null>
  /** A channel's entries after a position, or its last ones (before a position, if given). Always in order. */
  entries(filter: EntryFilter): Promise<EntryMessage[]>
  /** The position of the last entry at or before this time; 0 if there is none. */
  entriesUntil(threadId: string, at: Instant): Promise<number>
  /** The position of a delivery in its recipient's inbox; null if the message wasn't for them. */
  deliveryPlace(which: {
    thread_id: string
    message_id: string
    recipient: string
  }): Promise<number | null>
  /** Unread deliveries from before this time, and those from exactly this time that were already shown. */
  unreadUntil(recipient: string, at: Instant): Promise<InboxPlace[]>
  /** How many entries an agent has written since its turn began, counted up to a limit; 0 outside a turn. */
  entriesInTurn(which: { agent: string; thread: string; limit: number }): Promise<number>
  /** Everyone with an unread message in this thread. */
  recipientsWaiting(threadId: string): Promise<string[]>
}

export type EntryFilter = { thread: string; limit: number } & (
  | { after: number }
  | { last: true; before?: number | undefined }
)

export interface ChannelLooks {
  /** Lists instances by name; only running ones if `running` is true. */
  instances(filter: { running?: boolean; after?: string; limit: number }): Promise<HeldInstance[]>
}

// Queries for people who watch channels from outside.

export interface OverviewLooks {
  /** Ended instances, latest first. With `before`, only those listed after that one. */
  endedInstances(filter: { before?: EndedPlace; limit: number }): Promise<HeldInstance[]>
  /** How many entries these channels have, and the time of the last one. */
  channelStandings(threads: readonly string[]): Promise<ChannelStanding[]>
  unreadInChannels(recipient: string, threads: readonly string[]): Promise<Map<string, number>>
  unreadOfAgents(agents: readonly string[]): Promise<Map<string, number>>
  /** The latest message of each of these agents, in any thread. */
  lastSaid(agents: readonly string[]): Promise<SaidLast[]>
}

export type EndedPlace = { ended_at: string; instance: string }

export type ChannelStanding = { thread_id: string; entries: number; last_at: string }

export type SaidLast = Pick<Message, 'from_agent' | 'thread_id' | 'seq' | 'summary' | 'created_at'>

type DocumentName = { instance: string; file: string }

export interface DocumentReads {
  /** The last revision of a document, or the one with this number. */
  revision(document: DocumentName, revision?: number): Promise<DocumentRevision | null>
  /** The content stored in a revision's thread. */
  revisionText(threadId: string): Promise<string | null>
  /** Revisions whose content is still stored, newest first. */
  keptRevisions(document: DocumentName): Promise<DocumentRevision[]>
}

export interface DocumentLooks {
  /** The revisions of one document or of all documents of an instance, newest first. */
  revisions(filter: {
    instance: string
    file?: string | undefined
    limit: number
  }): Promise<DocumentRevision[]>
}
