// Queries about a person's desk: everything delivered to them, one row per thread.

import type { PushForm } from '../pushes/push.ts'
import type { Message } from '../threads/message.ts'
import type { Thread } from '../threads/thread.ts'
import type { Instant } from '../time.ts'

export interface DeskReads {
  /** The place of a thread on a person's desk; null if it isn't there. */
  deskPlace(person: string, threadId: string): Promise<number | null>
}

export interface DeskLooks {
  /** Threads from the top of the desk down. With `after`, the threads just above that place, in the same order. */
  desk(filter: DeskFilter): Promise<DeskItem[]>
  /** Searches this many threads below a place, and returns those that contain the search string. */
  searchDesk(search: DeskSearch): Promise<FoundOnDesk>
  /** When each thread arrived and whether it has anything unread, from the top of the desk down. */
  deskTimes(filter: DeskFilter): Promise<DeskTime[]>
  /** The threads that need this person, soonest expiry first, then oldest first. */
  deskNeeds(filter: NeedsFilter): Promise<NeedsPage>
  deskNeedsCount(person: string): Promise<NeedsCount>
  /** How many threads have something the person has not read. */
  deskUnread(person: string, form: DeskFilter['form']): Promise<number>
}

export type DeskFilter = {
  person: string
  /** Notifications have a separate list. */
  form: 'notification' | 'other'
  /** If true, only threads that are snoozed or put away. Otherwise, only threads that aren't. */
  snoozed?: boolean | undefined
  unreadOnly?: boolean | undefined
  workspaceId?: string | undefined
  from?: string | undefined
  before?: number | undefined
  after?: number | undefined
  limit: number
}

export type DeskTime = { event_id: number; at: Instant; isUnread: boolean }

export type DeskSearch = DeskFilter & { text: string; looks: number }

/** `bottom` is the place where the search stopped; null at the end of the desk. */
export type FoundOnDesk = { items: DeskItem[]; bottom: number | null }

/**
 * A thread's place on a desk is the event of its latest delivery. A thread whose snooze has expired goes above all
 * others until it is read: its place is this much higher.
 */
export const BACK_ABOVE = 10 ** 14

export type DeskPlace = {
  person: string
  thread_id: string
  event_id: number
  at: Instant
  unread: number
  is_unread: number
  is_notification: number
  workspace_id: string
  created_by: string
  needs: Demand | ''
  /** When the request expires; 9999 if never. */
  wanted_by: string
  /** When the snooze ends; 9999 if only a newer message ends it; empty if the thread isn't snoozed. */
  wakes_at: string
  is_woken: number
}

export type NeedsCount = { requests: number; questions: number; soonest: Instant | null }

/** Something waiting for a person: a request to decide, or a question to answer. */
export type Demand = 'request' | 'question'

/** `after` is the place of the last thread on the previous page. */
export type NeedsFilter = Pick<
  DeskFilter,
  'person' | 'unreadOnly' | 'workspaceId' | 'from' | 'after' | 'limit'
>
export type NeedsPage = { items: DeskItem[]; next: number | null }

/** A thread's latest delivered message, with what a list shows about the thread. */
export type DeskItem = {
  thread_id: string
  thread_kind: Thread['kind']
  subject: string
  created_by: string
  event_id: number
  message_kind: string
  from_agent: string
  summary: string
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
  /** When the snooze ends; null if the thread isn't snoozed, or is put away. */
  snoozed_until: Instant | null
  /** The thread came back from a snooze and hasn't been read since. */
  woken: boolean
} & Pick<Message, 'imported_by'>
