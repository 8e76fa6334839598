// The store's answers about a person's desk: everything that was delivered to them, a row for each thread.

import type { PushForm } from '../pushes/push.ts'
import type { Message } from '../threads/message.ts'
import type { Thread } from '../threads/thread.ts'
import type { Instant } from '../time.ts'

export interface DeskLooks {
  /** Newest first, by the latest delivery in the thread. */
  desk(filter: DeskFilter): Promise<DeskItem[]>
  /** How many threads have something that the person has not read. */
  deskUnread(person: string, form: 'notification' | 'other'): Promise<number>
}

export type DeskFilter = {
  person: string
  /** Notifications have a list of their own. */
  form: 'notification' | 'other'
  unreadOnly?: boolean | undefined
  workspaceId?: string | undefined
  from?: string | undefined
  /** Only threads whose latest delivery came before this event. */
  before?: number | undefined
  limit: number
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
} & Pick<Message, 'imported_by'>
