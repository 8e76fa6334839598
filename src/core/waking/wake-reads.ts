import type { Delivery } from '../inbox/delivery.ts'
import type { AgentRunStatus } from '../requests/agent-run-status.ts'
import type { Message } from '../threads/message.ts'
import type { Instant } from '../time.ts'
import type { Wake } from './wake-record.ts'
import type { WakeHistory } from './waking.ts'

export interface WakeReads {
  /** The wake of the agent's current turn. */
  runningWake(agentId: string): Promise<{ wake_id: string; hops: number } | null>
  /** The history of an agent's wakes, with its starts counted since this time. */
  wakeHistory(agentId: string, since: Instant): Promise<WakeHistory>
  /** Unread mail that may wake an agent, in log order. */
  wakeMail(filter: { agent: string; after: number; limit: number }): Promise<WakeMail[]>
}

export interface WakeLooks {
  /** Latest first. */
  wakes(filter: { agent?: string | undefined; limit: number }): Promise<Wake[]>
  /** Unfinished wakes, ordered by the end of their lease. */
  openWakes(limit: number): Promise<Wake[]>
  /** The time until which this name is noted as waiting, or null. The name need not be an agent's. */
  waitsUntil(agentId: string): Promise<Instant | null>
  /** The agents that may have to be woken because of a change after this event. */
  agentsConcerned(after: number): Promise<string[]>
}

export type WakeMail = Pick<Delivery, 'event_id' | 'kind' | 'presented_at' | 'presented_by'> &
  Pick<Message, 'from_agent' | 'hops' | 'imported_by'> & {
    /** The agent run whose review this message decides, and its current state; null if it decides no review. */
    agent_run_id: string | null
    agent_run_status: AgentRunStatus | null
  }
