// What a store answers about agents and people, and what it says of them in lists.

import type { ThreadKind } from '../kinds.ts'
import type { Turn } from '../pushes/push.ts'
import type { Message } from '../threads/message.ts'
import type { Agent, SeenAgent } from './agent.ts'

export interface AgentReads {
  agent(agentId: string): Promise<SeenAgent | null>
  agents(filter: AgentFilter): Promise<SeenAgent[]>
  /** Those of these names that are agents. */
  knownAgents(names: readonly string[]): Promise<KnownAgent[]>
  /** Agents that are off and have unread mail none the less. */
  offWithMail(limit: number): Promise<string[]>
  /** The sessions in which it is at work, and may be no longer. */
  turnsOf(agentId: string): Promise<Turn[]>
  hasPerson(personId: string): Promise<boolean>
  /** Those that were added: `user` need not be. */
  people(): Promise<string[]>
}

export interface AgentLooks {
  /** Of the agents from the first to the last of these names: what is unread, and what each last said of its
   *  progress, of which long texts are cut. */
  agentNotes(first: string, last: string): Promise<AgentNotes>
}

export type AgentFilter = {
  role?: string | undefined
  instance?: string | undefined
  parent?: string | undefined
  /** Only so many, after this name. */
  after?: string | undefined
  limit?: number | undefined
}

/** `hops` is of the turn it is in; null when it is in none. */
export type KnownAgent = Pick<Agent, 'agent_id' | 'declared_status'> & { hops: number | null }

export type Said = Pick<Message, 'message_id' | 'thread_id' | 'summary' | 'body' | 'created_at'>

/** With what says who may see it. */
export type SaidIn = Said & { thread_kind: ThreadKind; thread_by: string }

export type AgentNotes = { unread: Map<string, number>; said: Map<string, SaidIn> }
