// The store's answers about agent runs.

import type { Message } from '../threads/message.ts'
import type { AgentRun } from './agent-run-record.ts'
import type { AgentRunStatus } from './agent-run-status.ts'
import type { Request } from './request-record.ts'

export interface AgentRunReads {
  /** The agent's run in this folder that is not over. */
  openRun(agentId: string, folder: string): Promise<AgentRun | null>
  /** The request of a review, by the name that its agent gave it. */
  reviewOf(agentId: string, reviewId: string): Promise<Request | null>
  /** Paused runs that nobody can decide about, because they have no open request. */
  unaskedRuns(limit: number): Promise<AgentRun[]>
}

export interface AgentRunLooks {
  /** The latest first. */
  agentRuns(filter: AgentRunFilter): Promise<AgentRunItem[]>
}

/** A run with what was answered to its latest review. */
export type AgentRunItem = AgentRun & { response_markdown: Message['body'] }

export type AgentRunFilter = {
  agent?: string | undefined
  status?: AgentRunStatus | undefined
  agentRunId?: string | undefined
  /** Only runs after this one in the list. */
  before?: string | undefined
  limit: number
}
