// The store's answer about short ids. Each list is bounded: more than a few candidates help nobody.

import type { IdRange } from '../short-id.ts'
import type { Thread } from './thread.ts'

/** The rows that a short id may stand for. */
export type Like = {
  thread: Pick<Thread, 'thread_id' | 'kind' | 'created_by' | 'subject'>
  message: { message_id: string; thread_id: string; summary: string }
  agent_run: { agent_run_id: string; agent_id: string }
}

export interface ShortIdLooks {
  like<What extends keyof Like>(what: What, range: IdRange, limit: number): Promise<Like[What][]>
}
