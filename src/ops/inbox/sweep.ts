import { type Delivery, isOverdue, TOO_LATE } from '../../core/inbox/delivery.ts'
import type { InboxPlace } from '../../core/inbox/inbox-reads.ts'
import { step } from '../../core/mail/mail.ts'
import type { LockedThread, Tx } from '../../core/store.ts'
import { lapse } from '../../core/threads/commands.ts'
import type { ThreadState } from '../../core/threads/evolve.ts'
import type { Thread } from '../../core/threads/thread.ts'
import { aList, aNumber, aRow, aText, CURSOR } from '../kit/answer.ts'
import { commit } from '../kit/commit.ts'
import { byDefault, int } from '../kit/field.ts'
import { ANYONE, type Context, mutation } from '../kit/operation.ts'
import { BOUNCE_AT_ONCE, bounce, tellOfExpiry } from './tell-senders.ts'
import { THREAD } from './view.ts'

/** Limits the work of one call, so that it doesn't hold locks for long. */
const AT_ONCE = 100

type ExpiredDelivery = Pick<Delivery, 'message_id' | 'recipient'>

export type Swept = {
  threads: Thread[]
  expired: ExpiredDelivery[]
  bounced: number
  requests: number
}

export const sweep = mutation({
  name: 'sweep',
  example: 'sweep',
  summary:
    'Return threads with a lapsed lease to pending, let unread mail expire or bounce, and apply what is due on requests.',
  about:
    'Waits and servers sweep automatically, and a claim takes over a lapsed lease without a sweep. Run it if neither a server nor a wait is running.',
  fields: {
    limit: byDefault(int('how many to handle in one call', { min: 1, max: 1000 }), AT_ONCE),
  },
  set: 'none',
  callers: ANYONE,
  refusals: ['invalid_input'],
  run: (context, input) => sweepLapsed(context, input),
  answer: {
    threads: aList(THREAD, 'threads whose lease lapsed'),
    expired: aList(
      aRow<ExpiredDelivery>('expired', 'mail that expired', {
        message_id: aText('which'),
        recipient: aText('who it is for'),
      }),
      'mail that expired',
    ),
    bounced: aNumber('how many messages bounced from agents that are off'),
    requests: aNumber('how many requests had something due, which was applied'),
    next_event_id: CURSOR,
  },
  lines: async (answer, page) => (await import('./drawing.ts')).drawSwept(answer, page),
})

export async function sweepLapsed(
  context: Context,
  input: { limit: number; idempotency_key?: string | undefined } = { limit: AT_ONCE },
) {
  const { limit } = input
  const { applyDueRequests } = await import('../apply-due-requests.ts')
  const requests = await applyDueRequests(context, limit)
  return commit<Swept>(context, { op: 'sweep', agent: 'system', input }, async (tx) => {
    const off = await offWithMail(tx, limit)
    const [unread, due] = await Promise.all([
      firstPlaces(tx, off),
      tx.now().then((now) => tx.expired(now, limit)),
    ])
    const locks = await tx.lockAll([...unread, ...due].map(({ thread_id }) => thread_id))
    // Both steps notify senders, perhaps in the same thread: the second continues from the state the first left.
    const states = new Map<string, ThreadState>()
    const expired = await expire(context, tx, due, { locks, states })
    const bounced = await bounceLate(context, tx, off, states)
    return { threads: await lapseAll(tx, limit), expired, bounced, requests }
  })
}

/** Runs last: it skips threads locked by other writers, so the sweep doesn't wait for locks from here on. */
async function lapseAll(tx: Tx, limit: number): Promise<Thread[]> {
  const threads: Thread[] = []
  const locks = await tx.lockLapsed(limit)
  const asked = await Promise.all(locks.map(({ state }) => tx.asking(state.thread.thread_id)))
  for (const [i, { state, now }] of locks.entries()) {
    const event = lapse(state, now, asked[i]?.to_agent)
    if (event !== null) threads.push(tx.record(state, event).thread)
  }
  return threads
}

/** The messages that a sweep will bounce first, from the inboxes of agents that are off. */
async function firstPlaces(tx: Tx, off: string[]): Promise<InboxPlace[]> {
  const places: InboxPlace[] = []
  for (const recipient of off) {
    if (places.length >= BOUNCE_AT_ONCE) break
    const own = await tx.unreadPlaces(recipient, 0, Number.MAX_SAFE_INTEGER)
    places.push(...own.slice(0, BOUNCE_AT_ONCE))
  }
  return places
}

async function offWithMail(tx: Tx, limit: number): Promise<string[]> {
  if ((await tx.offWithMail(1)).length === 0) return []
  await tx.lockRecords()
  return tx.offWithMail(limit)
}

/** Bounces mail sent just as its recipient was turned off, or sent to it in a work thread since then. */
async function bounceLate(
  context: Context,
  tx: Tx,
  off: string[],
  states: Map<string, ThreadState>,
): Promise<number> {
  const now = await tx.now()
  let bounced = 0
  for (const recipient of off) {
    const want = { recipient, reason: `${recipient} is off`, now, states }
    bounced += (await bounce(context, tx, want)).bounced
    // The next sweep bounces the remaining mail.
    if (bounced >= BOUNCE_AT_ONCE) break
  }
  return bounced
}

async function expire(
  context: Context,
  tx: Tx,
  due: Delivery[],
  { locks, states }: { locks: LockedThread[]; states: Map<string, ThreadState> },
): Promise<ExpiredDelivery[]> {
  const threads = new Set(due.map(({ thread_id }) => thread_id))
  const expired: ExpiredDelivery[] = []
  for (const { state, now } of locks) {
    const { thread_id } = state.thread
    if (!threads.has(thread_id)) continue
    // Read again under the lock, because the recipients may have read some of them by now.
    const over = (await tx.deliveriesOf({ thread_id })).filter((one) => isOverdue(one, now))
    for (const [recipient, own] of Map.groupBy(over, (one) => one.recipient)) {
      const messages = own.map(({ message_id }) => message_id)
      const move = { type: 'delivery_expire', reason: TOO_LATE } as const
      tx.record(state, step(state.thread, move, { recipient, messages }, now))
      expired.push(...messages.map((message_id) => ({ message_id, recipient })))
    }
    states.set(thread_id, await tellOfExpiry(context, tx, state, over, now))
  }
  return expired
}
