// The store's answers about instances and their channels.

import type { EntryMessage } from './channel.ts'
import type { HeldInstance } from './instance.ts'

export interface ChannelReads {
  instance(name: string): Promise<HeldInstance | null>
  /** The entries of a channel after a place, in order; or the last ones before a place, in order too. */
  entries(filter: EntryFilter): Promise<EntryMessage[]>
  /** Where in the channel this moment is: the place of the last entry that is not after it, or 0. */
  entriesUntil(threadId: string, at: string): Promise<number>
  /** Everyone for whom something in this thread is not read. */
  recipientsWaiting(threadId: string): Promise<string[]>
}

export type EntryFilter = { thread: string; limit: number } & ({ after: number } | { last: true })

export interface ChannelLooks {
  /** In the order of their names; only those that run, if that is asked for. */
  instances(filter: { running?: boolean; after?: string; limit: number }): Promise<HeldInstance[]>
}
