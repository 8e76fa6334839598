import type { ThreadKind } from '../kinds.ts'
import type { Turn } from '../pushes/push.ts'
import type { Message } from '../threads/message.ts'
import type { Agent, SeenAgent } from './agent.ts'

export interface AgentReads {
  agent(agentId: string): Promise<SeenAgent | null>
  /** The agent that created the thread; null if a person did. */
  creatorOf(threadId: string): Promise<SeenAgent | null>
  agents(filter: AgentFilter): Promise<SeenAgent[]>
  /** Counts, up to a limit, the agents known only by name: those that never called and were never declared. */
  unseenAgents(limit: number): Promise<number>
  knownAgents(names: readonly string[]): Promise<KnownAgent[]>
  /** Agents that are off but have unread mail. */
  offWithMail(limit: number): Promise<string[]>
  /** The sessions the agent is working in, or was when it last made a call. */
  turnsOf(agentId: string): Promise<Turn[]>
  hasPerson(personId: string): Promise<boolean>
  /** The owner and everyone who was added. */
  people(): Promise<string[]>
}

export interface AgentLooks {
  /**
   * The unread count and latest progress message of each agent from the first to the last of these names. Long messages
   * are cut.
   */
  agentNotes(first: string, last: string): Promise<AgentNotes>
}

export type AgentFilter = {
  role?: string | undefined
  instance?: string | undefined
  parent?: string | undefined
  /** Skips agents up to and including this name. */
  after?: string | undefined
  limit?: number | undefined
}

/** `hops` of the agent's current turn; null outside a turn. */
export type KnownAgent = Pick<Agent, 'agent_id' | 'declared_status'> & { hops: number | null }

export type LatestWords = Pick<
  Message,
  'message_id' | 'thread_id' | 'summary' | 'body' | 'created_at'
>

/** A progress message, with the fields that determine who may see it. */
export type LatestWordsIn = LatestWords & { thread_kind: ThreadKind; thread_by: string }

export type AgentNotes = { unread: Map<string, number>; said: Map<string, LatestWordsIn> }
