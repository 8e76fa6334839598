// Whether the store may be written to at all, which every write checks in its transaction. A newer program may bring a
// store up to date while an older one has it open, and what the older one then wrote would lack what the newer one needs.
// And a store with an unfinished import isn't whole: anything written there would have to be thrown away with it.

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
 * Finds out by a write whether a store takes writes. Nothing less tells: SQLite doesn't touch the disk before a commit. A
 * sighting is allowed even where news is refused, so this also checks for an unfinished import.
 */
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
