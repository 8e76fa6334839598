// What an event does to the table of pushes; and what deleting one removes from everywhere else.

import type { ThreadEvent } from '../../core/event.ts'
import type { Write } from '../session.ts'

export function pushWritesFor({ thread_id, facts, at }: ThreadEvent): Write[] {
  const putAway = (trashed_at: string | null): Write => ({
    query: 'push_put_away',
    params: { thread_id, trashed_at },
  })
  switch (facts.type) {
    case 'push_send': {
      const { workspace_id, workspace_label, form } = facts
      const created_at = facts.made_at ?? at
      return [
        {
          query: 'push_insert',
          params: { thread_id, workspace_id, workspace_label, form, created_at },
        },
      ]
    }
    case 'push_trash':
      return [putAway(at)]
    case 'push_restore':
    case 'push_reply':
      return [putAway(null)]
    case 'push_delete':
      return [{ query: 'push_gone', params: { thread_id, at } }, ...scrubbing(thread_id)]
    default:
      return []
  }
}

/** Everything that was said in it. What is left names who wrote to whom and when, for the log to replay. */
function scrubbing(thread_id: string): Write[] {
  return [
    { query: 'push_scrub_thread', params: { thread_id } },
    { query: 'artifacts_delete', params: { thread_id } },
    { query: 'push_scrub_messages', params: { thread_id } },
    { query: 'push_scrub_events', params: { thread_id } },
    { query: 'push_scrub_keys', params: { named: `%"thread_id":"${thread_id}"%` } },
  ]
}
