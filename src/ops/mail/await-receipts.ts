// Waits on behalf of the sender until every delivery has reached a given step or can no longer reach it.

import { type Delivery, hasReached, isBeforeRead, type Level } from '../../core/inbox/delivery.ts'
import { epochMs } from '../../core/time.ts'
import type { Chore } from '../../wake/wait.ts'
import { type Receipt, viewReceipt } from '../inbox/mail-view.ts'
import { sweepLapsed } from '../inbox/sweep.ts'
import type { Context } from '../kit/operation.ts'
import { waitAs } from '../kit/waiting.ts'

export type ReceiptOutcome = {
  reached: boolean
  /** The recipients whose delivery ended before it reached the step. */
  lost: Pick<Receipt, 'recipient' | 'state' | 'reason'>[]
  receipts: Receipt[]
  interrupted?: true
}

export async function awaitReceipts(
  context: Context,
  message: { message_id: string; thread_id: string },
  { from, level, timeoutMs }: { from: string; level: Level; timeoutMs: number },
): Promise<ReceiptOutcome> {
  const { store, bell, signal } = context
  let deliveries: Delivery[] = []
  const look = async () => {
    deliveries = await store.deliveriesOf(message)
    return deliveries.every((one) => hasEnded(one) || hasCome(one, level)) || null
  }
  // No event announces that a delivery's time is up, so the wait itself expires the delivery when it's due.
  const expire: Chore = {
    async dueMs() {
      const times = deliveries
        .filter((one) => isBeforeRead(one.state))
        .flatMap((one) => one.expires_at ?? [])
      const next = times.sort()[0]
      if (next === undefined) return null
      return Math.max(0, epochMs(next) - epochMs(await store.now()))
    },
    run: async () => void (await sweepLapsed(context)),
  }
  const waited = await waitAs(context, from, {
    bell,
    about: [message.thread_id],
    look,
    lookout: store.lookout(),
    chores: [expire],
    timeoutMs,
    signal,
  })
  const lost = deliveries.filter((one) => hasEnded(one) && !hasCome(one, level))
  return {
    // A message without recipients hasn't reached anyone.
    reached: waited.outcome === 'found' && lost.length === 0 && deliveries.length > 0,
    lost: lost.map(({ recipient, state, reason }) => ({ recipient, state, reason })),
    receipts: deliveries.map(viewReceipt),
    ...(waited.outcome === 'interrupted' ? { interrupted: true } : {}),
  }
}

/** A delivery that was presented and then expired still counts as presented. */
function hasCome({ state, presented_at }: Delivery, level: Level): boolean {
  return hasReached(state, level) || (level === 'presented' && presented_at !== null)
}

function hasEnded({ state }: Delivery): boolean {
  return state === 'bounced' || state === 'expired'
}
