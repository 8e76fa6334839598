// How a request comes to a decision, whoever or whatever makes it. Everything that a decision causes is recorded here,
// in the one transaction: the status, the answer to the requester, and the end of what others still had to look at.

import type { Delivery } from '../../core/inbox/delivery.ts'
import { type DecideWish, decide } from '../../core/requests/request.ts'
import { REQUESTS, type Request } from '../../core/requests/request-record.ts'
import { statusAfterMove } from '../../core/requests/request-status.ts'
import type { LockedThread, Tx } from '../../core/store.ts'
import { type Context, stamp } from '../kit/operation.ts'
import { keepSeed } from './warrant-view.ts'

/** A request under its lock, with the deliveries of its thread. */
export type LockedRequest = {
  locked: LockedThread
  request: Request
  told: Pick<Delivery, 'recipient'>[]
}

/** The request as it is stored, though something may be due about it; null if there is none. */
export async function lockAnyway(tx: Tx, id: string): Promise<LockedRequest | null> {
  const [locked, request, told] = await Promise.all([
    tx.lock(id),
    tx.rowOf(REQUESTS, id),
    tx.deliveriesOf({ thread_id: id }),
  ])
  return locked === null || request === null ? null : { locked, request, told }
}

export async function recordOutcome(
  context: Context,
  tx: Tx,
  { locked, request, told }: LockedRequest,
  what: Omit<DecideWish, 'told'>,
): Promise<void> {
  if (statusAfterMove(request.status, what.move) === 'approved') await keepSeed(tx)
  const people = [...new Set(told.map(({ recipient }) => recipient))]
  const wish = { ...what, told: people }
  tx.record(
    locked.state,
    decide(locked.state, request, wish, stamp(context, locked.now, what.words)),
  )
}
