import { isOutdated } from '../../core/requests/request-expiry.ts'
import type { Tx } from '../../core/store.ts'
import { DoFirst } from '../kit/do-first.ts'
import { type LockedRequest, lockAnyway } from './outcome.ts'
import { unknownRequest } from './request-view.ts'
import { settle } from './settle.ts'

/** Locks a request as it stands now: what is due about it by itself happens first. */
export async function lockRequest(tx: Tx, id: string): Promise<LockedRequest> {
  const held = await lockIfThere(tx, id)
  if (held === null) throw unknownRequest(id)
  return held
}

/** The same; null if there is none, because it was pruned. */
export async function lockIfThere(tx: Tx, id: string): Promise<LockedRequest | null> {
  const held = await lockAnyway(tx, id)
  if (held !== null && isOutdated(held.request, held.locked.now)) {
    throw new DoFirst((context) => settle(context, id))
  }
  return held
}
