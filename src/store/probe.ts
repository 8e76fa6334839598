// The write by which it is found out whether a store takes writes. Nothing less tells: SQLite does not touch the disk before
// a commit. A sighting is allowed where news is refused, so it is asked as well whether an import has not finished.

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

/** Leaves a sighting, always the same row: nothing for the log, and nobody is rung. */
async function tryToWrite(tx: Tx): Promise<object> {
  tx.sight(PROBE, await tx.now())
  return {}
}
