// The store's answers for people who look at channels from outside: many at once, and one at a glance.

import type { Message } from '../threads/message.ts'
import type { HeldInstance } from './instance.ts'

export interface OverviewLooks {
  /** The instances that have ended, the latest first; after one of them, if that is given. */
  endedInstances(filter: { before?: EndedPlace; limit: number }): Promise<HeldInstance[]>
  /** How long these channels are, and when each was last written in. */
  channelStandings(threads: readonly string[]): Promise<ChannelStanding[]>
  /** How much in each of these channels this person has not read. */
  unreadInChannels(recipient: string, threads: readonly string[]): Promise<Map<string, number>>
  /** How many messages wait for each of these agents. */
  unreadOfAgents(agents: readonly string[]): Promise<Map<string, number>>
  /** The latest words of each of these agents, in whichever thread. */
  lastSaid(agents: readonly string[]): Promise<SaidLast[]>
}

export type EndedPlace = { ended_at: string; instance: string }

export type ChannelStanding = { thread_id: string; entries: number; last_at: string }

export type SaidLast = Pick<Message, 'from_agent' | 'thread_id' | 'seq' | 'summary' | 'created_at'>
