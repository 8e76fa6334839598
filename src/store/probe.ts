// The write that finds out whether a store takes writes. Nothing less tells: SQLite doesn't touch the disk before a
// commit. A sighting is allowed even where news is refused, so this also checks for an unfinished import.

import { AGENT_SEEN } from '../core/agents/sighting.ts'
import { LOADING } from '../core/keeping/keeper.ts'
import type { Store, Tx } from '../core/store.ts'
import { loadingRefusal } from './outgrown.ts'
import { type Querier, readSetting } from './querier.ts'

/** No agent can have this name. */
const PROBE = '(probe)'

export async function mustTakeNews(
  { write, place }: Pick<Store, 'write' | 'place'>,
  querier: Querier,
): Promise<void> {
  await write(tryToWrite)
  if ((await readSetting(querier, LOADING)) !== null) throw loadingRefusal(place)
}

/** Leaves a sighting, always in the same row: nothing goes into the log, and no bell rings. */
async function tryToWrite(tx: Tx): Promise<object> {
  tx.keep(AGENT_SEEN, { agent_id: PROBE, seen_at: await tx.now() })
  return {}
}
