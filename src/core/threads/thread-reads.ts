// The store's queries about threads, their messages and their holders. Reads also run inside a unit of work; looks only
// outside.

import type { IdRange } from '../short-id.ts'
import type { Instant } from '../time.ts'
import type { AnsweredMessage } from './commands.ts'
import type { ReadMark, ThreadState } from './evolve.ts'
import type { Lease } from './lease.ts'
import type { Message } from './message.ts'
import type { Thread } from './thread.ts'
import type { WorkStatus } from './work.ts'

export interface ThreadReads {
  thread(threadId: string): Promise<ThreadState | null>
  message(messageId: string): Promise<Message | null>
  /** The message that asks for the work: the first one in the thread that isn't bookkeeping. */
  asking(threadId: string): Promise<Message | null>
  /** The messages after a position, in order: at most `limit`, and no more than fit in one read (page-bytes.ts). */
  messages(threadId: string, page: { after: number; limit: number }): Promise<Message[]>
  /**
   * The question from another agent that an answer by this agent is meant for. Among unanswered questions, it's the one
   * this agent was shown, or else the assignee's, or else the latest.
   */
  openQuestion(threadId: string, by: string): Promise<AnsweredMessage | null>
  hasWritten(threadId: string, agent: string): Promise<boolean>
  everHeld(threadId: string, agent: string): Promise<boolean>
  /** The threads on which the agent has a live lease, soonest to lapse first. */
  held(agent: string, limit: number): Promise<Pick<Thread, 'thread_id' | 'subject'>[]>
  readMark(threadId: string, agent: string): Promise<ReadMark | null>
}

export interface ThreadLooks {
  threads(filter: ThreadFilter): Promise<Thread[]>
  /** Counts of each status, up to MOST_TALLIED. */
  tallyThreads(scope: ThreadScope): Promise<Record<WorkStatus, number>>
  /** The lease of each thread, and the question it is blocked on. */
  besideThreads(threadIds: readonly string[]): Promise<BesideThread[]>
  fetch(filter: FetchFilter): Promise<Candidate[]>
  /** With `most`, each count stops at that number. */
  overview(limit: number, most?: number): Promise<Overview>
  /** The candidates for a short id, limited because more than a few are no help. */
  like<What extends keyof Like>(what: What, range: IdRange, limit: number): Promise<Like[What][]>
  /** When the next lease lapses or the next delivery expires. */
  nextLapse(): Promise<Instant | null>
}

/** Which threads the caller is asking about, in any status. */
export type ThreadScope = {
  agent?: string | undefined
  createdBy?: string | undefined
  assignedTo?: string | undefined
}

/** The most threads counted per status. A count that reaches this limit means "at least". */
export const MOST_TALLIED = 1000

export type BesideThread = {
  thread_id: string
  lease: Lease | null
  question: Pick<Message, 'message_id' | 'from_agent' | 'summary' | 'created_at'> | null
}

export type ThreadFilter = ThreadScope & {
  statuses: readonly WorkStatus[]
  /** Lists the least recently changed threads first. */
  oldestFirst?: boolean | undefined
  /** Lists only threads after this one. */
  before?: Pick<Thread, 'updated_at' | 'thread_id'> | undefined
  limit: number
}

export type Candidate = { thread: Thread; lease: Lease | null; claimable: boolean }

export type FetchFilter = {
  agent: string
  /**
   * If absent, lists whatever the agent could claim. Otherwise, lists the threads with exactly these statuses, each
   * marked as claimable or not.
   */
  statuses?: readonly WorkStatus[] | undefined
  unreadOnly: boolean
  limit: number
}

/** Counts for people stop here, no matter how large the store is. */
export const MOST_COUNTED = 1000

export type Counts = {
  threads: Record<WorkStatus, number>
  messages: number
  events: number
}

export type Question = Pick<Message, 'summary' | 'created_at'>

export type Overview = {
  counts: Counts
  /** Unclaimed work, longest waiting first. */
  pending: Thread[]
  blocked: { thread: Thread; question: Question }[]
  leases: { thread: Thread; lease: Lease }[]
}

/** What a short id can stand for. */
export type Like = {
  thread: Pick<Thread, 'thread_id' | 'kind' | 'created_by' | 'subject'>
  message: { message_id: string; thread_id: string; summary: string }
  agent_run: { agent_run_id: string; agent_id: string }
}
