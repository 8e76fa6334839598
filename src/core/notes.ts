// All notes. Add a line here for a new note; src/store/notes.test.ts checks that its query exists.

import { AGENT_SEEN, AGENT_WAITING, ROLE_TURN } from './agents/sighting.ts'
import { TOKEN_HASH, TOKEN_PAGE_HASH, TOKEN_USED } from './identity/token.ts'
import type { Note } from './note.ts'
import { TURN_BEGUN, TURN_OVER } from './pushes/push.ts'
import { EFFECT_LEASE } from './requests/effect-record.ts'
import { WARRANT_SEED } from './requests/warrant.ts'
import { WAKE_LEASE } from './waking/wake-record.ts'
import { RUNNER_LEASE } from './workflows/instance.ts'

export const NOTES: readonly Note<unknown>[] = [
  AGENT_SEEN,
  AGENT_WAITING,
  ROLE_TURN,
  TURN_BEGUN,
  TURN_OVER,
  EFFECT_LEASE,
  WARRANT_SEED,
  RUNNER_LEASE,
  WAKE_LEASE,
  TOKEN_HASH,
  TOKEN_PAGE_HASH,
  TOKEN_USED,
]
