import type { EventType } from '../event.ts'
import type { Message } from '../threads/message.ts'
import type { Instant } from '../time.ts'
import type { AgentRun } from './agent-run-record.ts'
import type { AgentRunStatus } from './agent-run-status.ts'
import type { EffectCommand } from './effect-command-record.ts'
import type { Effect } from './effect-record.ts'
import type { Request, Risk } from './request-record.ts'
import type { RequestStatus } from './request-status.ts'
import type { Requirement } from './requirement-record.ts'

export interface RequestReads {
  /** The secret that this store signs warrants with; null before its first approval. It is not in the log. */
  warrantSeed(): Promise<string | null>
  /** The history of one request, in log order. */
  requestLog(requestId: string): Promise<RequestLogItem[]>
  openRun(agentId: string, folder: string): Promise<AgentRun | null>
  /** The request for the review that the agent named `reviewId`. */
  reviewOf(agentId: string, reviewId: string): Promise<Request | null>
  /** Paused runs that can't be decided because they have no open request. */
  unaskedRuns(limit: number): Promise<AgentRun[]>
  requirements(holders?: readonly string[]): Promise<Requirement[]>
}

export interface RequestLooks {
  /** Effects that are waiting or running, except those of imported decisions; oldest first. */
  openEffects(limit: number): Promise<OpenEffect[]>
  effectCommands(): Promise<EffectCommand[]>

  /** Newest first, or soonest expiry first. */
  requests(filter: RequestFilter): Promise<RequestItem[]>
  /** One step of a search: examines the next `looks` requests in list order. */
  searchRequests(search: RequestSearch): Promise<FoundRequests>
  /** Counts per type on each tab, independent of the page. */
  requestCounts(filter: RequestNarrowing): Promise<RequestCounts>
  /** The requests of this agent for exactly this payload, newest first; if there are many, only the latest. */
  requestsOfPayload(requester: string, payloadSha256: string): Promise<Request[]>
  /** Requests for which something automatic is due, longest overdue first. */
  dueRequests(now: Instant, limit: number): Promise<DueRequest[]>
  /** Requests made by the time `before` that are still open, from one requester or from all of them; oldest first. */
  waitingRequests(filter: WaitingFilter): Promise<WaitingRequest[]>
  /** Latest first. */
  agentRuns(filter: AgentRunFilter): Promise<AgentRunItem[]>
}

export type OpenEffect = Effect & Pick<Request, 'request_type'>
export type WaitingFilter = { before: Instant; requester?: string | undefined; limit: number }

export type WaitingRequest = Pick<Request, 'requester' | 'created_at'> & {
  request_id: string
  title: string
}

export type DueRequest = { thread_id: string; due_at: Instant }

/** An event in the history of a request. The message fields are empty if the event has no message. */
export type RequestLogItem = {
  event_id: number
  event_type: EventType
  agent: string
  created_at: Instant
  facts_json: string
  /** Null for an event without a message. */
  message_id: string | null
} & Pick<Message, 'summary' | 'body' | 'payload_json' | 'imported_by'>

/** A request in a list, with the title of its current revision. */
export type RequestItem = Request & { title: string } & Pick<Message, 'imported_by'>

/** The most requests counted per type. In a filtered list, this many requests are checked per tab. */
export const MOST_COUNTED = 500
export const MOST_TYPES = 50

export type RequestCount = { request_type: string; isResolved: boolean; n: number }
export type RequestCounts = {
  counts: RequestCount[]
  /** Whether there are more requests than were counted. */
  cut: boolean
}

export type RequestScope = {
  requester?: string | undefined
  recipient?: string | undefined
  entityType?: string | undefined
  entityId?: string | undefined
}

export type RequestFilter = RequestScope & {
  /** Whether to list resolved or open requests; both if undefined. */
  isResolved?: boolean | undefined
  status?: RequestStatus | undefined
  type?: string | undefined
  risk?: Risk | undefined
  /** Lists open requests in order of expiry, soonest first. */
  soonestFirst?: boolean | undefined
  before?: string | undefined
  limit: number
}

type TextFilter = {
  /** Matches part of the title, ignoring case. */
  title?: string | undefined
  linked?: string | undefined
}

/** The filters that apply to both tabs, except for the type. Counts cover only requests that match them. */
export type RequestNarrowing = RequestScope & Pick<RequestFilter, 'risk'> & TextFilter

export type RequestSearch = RequestFilter &
  TextFilter & {
    looks: number
  }

export type FoundRequests = {
  items: RequestItem[]
  /** The request after which to continue; null at the end. */
  bottom: string | null
}

export type AgentRunItem = AgentRun & { response_markdown: Message['body'] }

export type AgentRunFilter = {
  agent?: string | undefined
  status?: AgentRunStatus | undefined
  agentRunId?: string | undefined
  before?: string | undefined
  limit: number
}
