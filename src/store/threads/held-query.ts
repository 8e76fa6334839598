// The query is asked inside units of work, which must not wait for a file, so it is always at hand.

import type { MadeQuery } from '../compile.ts'

/** The threads that an agent holds, the next to lapse first. */
export const HELD: MadeQuery = {
  name: 'threads_held',
  text: `select t.thread_id, t.subject from leases l cross join threads t
    where l.agent_id = :agent and l.released_at is null and l.expires_at > :now
      and t.thread_id = l.thread_id and t.kind = 'work'
    order by l.expires_at limit :limit`,
}
