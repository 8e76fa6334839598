// Notes about agents outside the log: sightings, waits, and whose turn it is in a role.

import type { Note } from '../note.ts'
import type { Instant } from '../time.ts'

/** An agent was seen. Whether it is waiting is unchanged. */
export const AGENT_SEEN: Note<{ agent_id: string; seen_at: Instant }> = {
  query: 'sighting_seen',
  quiet: true,
}
/** An agent was seen and waits until then; empty when it no longer waits. */
export const AGENT_WAITING: Note<{
  agent_id: string
  seen_at: Instant
  waiting_until: Instant | ''
}> = { query: 'sighting_put', quiet: true }
/** The member whose turn in the role was last; the role is locked first (tx.lockTurn). */
export const ROLE_TURN: Note<{ role: string; last_agent: string }> = { query: 'role_turn_put' }
