// The empty in-memory store for read-only calls when there is no store. It creates no file and keeps nothing between
// calls.

import type { Bell } from '../core/bell.ts'
import { refuse } from '../core/error.ts'
import type { Store, Tx } from '../core/store.ts'
import { rehearseWrite } from '../ops/kit/commit.ts'
import { NOWHERE } from '../store/sqlite/open.ts'
import { openSqlite } from '../store/sqlite/store.ts'
import { isFile } from './locate.ts'

/** On close, reports that there is no store, unless a refusal already said so. */
export async function openEmptyStore(
  address: string,
  onAbsent: (place: string) => void,
): Promise<{ store: Store; bell: Bell }> {
  const place = await placeOf(address)
  const afterCommit = () => {}
  const how = { path: NOWHERE, afterCommit, systemClock: Date.now, alone: true }
  const empty = await openSqlite(how)
  let isSaid = false
  const store: Store = {
    ...empty,
    engine: isFile(address) ? 'sqlite' : 'postgres',
    place,
    async write(work) {
      const value = await rehearseWrite(empty, async (tx) => {
        let changes = 0
        const record: Tx['record'] = (before, event) => {
          changes += 1
          return tx.record(before, event)
        }
        const result = await work({ ...tx, record })
        // A dry run has thrown by now. Any other change would be acknowledged and lost here, so the call should have
        // created the store (mayMakeStore in src/ops/kit/operation.ts).
        if (changes > 0) throw new Error('a call that changes a thread was given no store')
        return result
      })
      return { value, eventId: 0, replayed: false }
    },
    async keeper() {
      isSaid = true
      throw refuse.not_found`there is no store at ${place}; 'inbox init' makes one`
    },
    async close() {
      await empty.close()
      if (!isSaid) onAbsent(place)
    },
  }
  return { store, bell: { ring() {}, arm: async () => () => {}, close: async () => {} } }
}

async function placeOf(address: string): Promise<string> {
  if (isFile(address)) return address
  const { parseAddress } = await import('../store/postgres/open.ts')
  return parseAddress(address).place
}
