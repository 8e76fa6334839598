// Every write checks in its transaction whether the store can be written to at all. A newer program may upgrade a store
// while an older one has it open, and the older program's writes would lack what the newer one needs. A store with an
// unfinished import is incomplete, and new writes would have to be thrown away with it.

import { AGENT_SEEN } from '../core/agents/sighting.ts'
import { type Refusal, refuse } from '../core/error.ts'
import { LOADING } from '../core/keeping/keeper.ts'
import type { Store, Tx } from '../core/store.ts'
import { type Querier, readSetting } from './querier.ts'

export function outgrownRefusal(place: string, migration?: string): Refusal {
  const by = migration === undefined ? '' : ` (${migration})`
  return refuse.store_unusable`${place} was changed by a newer Mailroom${by} while this one had it open; upgrade this program and start it again`
}

export function loadingRefusal(place: string): Refusal {
  return refuse.store_unusable`an import into ${place} has not finished, so nothing else is written there; wait for it or, if it was ended before its time, remove this store and import again`
}

/** No agent can have this name. */
const PROBE = '(probe)'

/**
 * Writes to a store to find out whether it accepts writes. Only a write can show this, because SQLite doesn't touch the
 * disk before a commit. A sighting is allowed even where news is refused, so this also checks for an unfinished import.
 */
export async function mustTakeNews(
  { write, place }: Pick<Store, 'write' | 'place'>,
  querier: Querier,
): Promise<void> {
  await write(tryToWrite)
  if ((await readSetting(querier, LOADING)) !== null) throw loadingRefusal(place)
}

/** Writes a sighting, always to the same row. It adds nothing to the log and rings no bell. */
async function tryToWrite(tx: Tx): Promise<object> {
  tx.keep(AGENT_SEEN, { agent_id: PROBE, seen_at: await tx.now() })
  return {}
}
