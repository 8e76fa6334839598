// Notes about agents, kept outside the log: sightings, waits, and whose turn it is in a role.

import type { Note } from '../note.ts'
import type { Instant } from '../time.ts'

/** An agent was seen. Doesn't change whether it's waiting. */
export const AGENT_SEEN: Note<{ agent_id: string; seen_at: Instant }> = {
  query: 'sighting_seen',
  quiet: true,
}
/** An agent was seen and is waiting until `waiting_until`, which is empty once the wait is over. */
export const AGENT_WAITING: Note<{
  agent_id: string
  seen_at: Instant
  waiting_until: Instant | ''
}> = { query: 'sighting_put', quiet: true }
/** The member that had the role's last turn. The role is locked first (tx.lockTurn). */
export const ROLE_TURN: Note<{ role: string; last_agent: string }> = { query: 'role_turn_put' }
