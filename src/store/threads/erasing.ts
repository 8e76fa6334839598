// Removes for ever everything that was said in a thread. The rows that are left name who wrote to whom and when, for the
// log to replay.

import type { Write } from '../querier.ts'

export function eraseWrites(thread_id: string): Write[] {
  return [
    { query: 'erase_thread', params: { thread_id } },
    { query: 'artifacts_delete', params: { thread_id } },
    { query: 'erase_messages', params: { thread_id } },
    { query: 'erase_events', params: { thread_id } },
    { query: 'erase_keys', params: { named: `%"thread_id":"${thread_id}"%` } },
  ]
}

/** Removes the texts of a thread, to save room. Whoever needs them gone uses the other. */
export function trimWrite(thread_id: string): Write {
  return { query: 'trim_messages', params: { thread_id } }
}
