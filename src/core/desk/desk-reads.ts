// The store's answers about a person's desk: everything that was delivered to them, a row for each thread.

import type { PushForm } from '../pushes/push.ts'
import type { Message } from '../threads/message.ts'
import type { Thread } from '../threads/thread.ts'
import type { Instant } from '../time.ts'

export interface DeskLooks {
  /** Newest first, by the latest delivery in the thread; with `after` those next to it, newest first as well. */
  desk(filter: DeskFilter): Promise<DeskItem[]>
  /** Looks at so many deliveries below a place, and finds the threads among them that hold a text. */
  searchDesk(search: DeskSearch): Promise<FoundOnDesk>
  /** The place of a thread on a person's desk; null when it is not there. */
  deskPlace(person: string, threadId: string): Promise<number | null>
  /** The threads that want this person, the soonest expiry first, then the oldest. */
  deskNeeds(person: string): Promise<DeskNeed[]>
  /** How many threads have something that the person has not read. */
  deskUnread(person: string, form: DeskFilter['form']): Promise<number>
}

export type DeskFilter = {
  person: string
  /** Notifications have a list of their own. */
  form: 'notification' | 'other'
  unreadOnly?: boolean | undefined
  workspaceId?: string | undefined
  from?: string | undefined
  /** Only these threads. */
  threads?: readonly string[] | undefined
  /** Only threads whose latest delivery came before this event. */
  before?: number | undefined
  /** Only threads whose latest delivery came after this event. */
  after?: number | undefined
  limit: number
}

export type DeskSearch = DeskFilter & { text: string; looks: number }

/** `bottom` is the place down to which everything was looked at; null at the end of the desk. */
export type FoundOnDesk = { items: DeskItem[]; bottom: number | null }

/** Something that waits for a person: a request to decide, or a question to answer. */
export type Demand = 'request' | 'question'

export type DeskNeed = {
  thread_id: string
  needs: Demand
  /** When a request expires. */
  wanted_by: Instant | null
  event_id: number
}

/** The latest message of a thread that was delivered, and what a list shows of the thread. */
export type DeskItem = {
  thread_id: string
  thread_kind: Thread['kind']
  subject: string
  /** The one who began the thread. */
  created_by: string
  event_id: number
  message_kind: string
  from_agent: string
  summary: string
  /** The beginning of its text. */
  preview: string
  queued_at: Instant
  unread: number
  documents: number
  workspace_id: string | null
  workspace_label: string | null
  form: PushForm | null
  request_type: string | null
  risk: string | null
  wanted_by: Instant | null
  needs: Demand | ''
} & Pick<Message, 'imported_by'>
