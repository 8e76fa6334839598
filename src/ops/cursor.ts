import { refuse } from '../core/error.ts'
import type { Store } from '../core/store.ts'

/** A cursor from another store, or mistyped, would otherwise wait for ever. */
export async function mustBeInLog(store: Store, cursor: number): Promise<void> {
  const last = await store.lastEventId()
  if (cursor <= Math.max(last, await store.floor())) return
  throw refuse(
    'invalid_input',
    `event ${cursor} is not in this log, which ends at ${last}; is this the right store?`,
  )
}

/** What was pruned cannot be replayed: a reader that would miss it is told, never skipped over. */
export async function mustBeAboveFloor(store: Store, cursor: number): Promise<void> {
  const floor = await store.floor()
  if (cursor >= floor) return
  throw refuse(
    'cursor_expired',
    `events up to ${floor} were pruned, so ${cursor} cannot be resumed; list the threads, then go on from ${await store.lastEventId()}`,
    { floor },
  )
}
