import { lapse } from '../core/commands.ts'
import { type Delivery, isOverdue, TOO_LATE } from '../core/delivery.ts'
import { step } from '../core/mail.ts'
import type { Tx } from '../core/store.ts'
import type { Thread } from '../core/thread.ts'
import { bounce } from './bounce.ts'
import { int } from './field.ts'
import { ANYONE, type Context, commit, mutation } from './operation.ts'

type Expired = Pick<Delivery, 'message_id' | 'recipient'>

export const sweep = mutation({
  name: 'sweep',
  summary: 'Return threads whose lease has lapsed to pending; let unread mail expire or bounce.',
  about:
    'Waits and servers do it by themselves, and a claim takes over a lapsed lease without it. For a machine where nothing waits.',
  fields: {
    limit: int('at most so many in one go', { min: 1, max: 1000, default: '100' }),
  },
  callers: ANYONE,
  refusals: ['invalid_input'],
  run: (context, input) => sweepLapsed(context, input),
})

export async function sweepLapsed(
  context: Context,
  input: { limit?: number | undefined; idempotency_key?: string | undefined },
) {
  const limit = input.limit ?? 100
  const { idempotency_key: key, ...rest } = input
  // Each in a transaction of its own, or the threads of one would be locked after those of another,
  // out of the order that keeps two from waiting for each other.
  const pass = <T extends object>(name: string, work: (tx: Tx) => Promise<T>) => {
    const idempotency_key = key === undefined ? undefined : `${key}${name}`
    return commit<T>(
      context,
      { op: 'sweep', agent: 'system', input: { ...rest, idempotency_key } },
      work,
    )
  }
  const { threads } = await pass('', async (tx) => {
    const threads: Thread[] = []
    for (const { state, now } of await tx.lockLapsed(limit)) {
      const event = lapse(state, now)
      if (event !== null) threads.push(tx.record(state, event).thread)
    }
    return { threads }
  })
  const { bounced } = await pass(' bounce', async (tx) => ({
    bounced: await bounceLate(context, tx, limit),
  }))
  const { expired, next_event_id } = await pass(' expire', async (tx) => ({
    expired: await expire(tx, limit),
  }))
  return { threads, expired, bounced, next_event_id }
}

/** What was sent in the moment in which its recipient was turned off, or in a thread of work to it since. */
async function bounceLate(context: Context, tx: Tx, limit: number): Promise<number> {
  if ((await tx.offWithMail(1)).length === 0) return 0
  await tx.lockAgents()
  const [now, off] = await Promise.all([tx.now(), tx.offWithMail(limit)])
  // All of them first, and in one order; one recipient after the other would lock them in several.
  for (const threadId of await unreadThreads(tx, off)) await tx.lock(threadId)
  let bounced = 0
  for (const recipient of off) {
    bounced += await bounce(context, tx, { recipient, reason: `${recipient} is off`, now })
  }
  return bounced
}

async function unreadThreads(tx: Tx, recipients: string[]): Promise<string[]> {
  const places = await Promise.all(
    recipients.map((recipient) => tx.unreadPlaces(recipient, 0, Number.MAX_SAFE_INTEGER)),
  )
  return [...new Set(places.flat().map(({ thread_id }) => thread_id))].sort()
}

async function expire(tx: Tx, limit: number): Promise<Expired[]> {
  const due = await tx.expired(await tx.now(), limit)
  const expired: Expired[] = []
  // In one order everywhere: two who lock the same threads must not wait for each other.
  for (const thread_id of [...new Set(due.map((one) => one.thread_id))].sort()) {
    const locked = await tx.lock(thread_id)
    if (locked === null) continue
    const { state, now } = locked
    // As they are under the lock: some may have been read meanwhile.
    const over = (await tx.deliveriesOf({ thread_id })).filter((one) => isOverdue(one, now))
    for (const [recipient, own] of Map.groupBy(over, (one) => one.recipient)) {
      const messages = own.map(({ message_id }) => message_id)
      tx.record(
        state,
        step(
          state.thread,
          { type: 'delivery_expire', reason: TOO_LATE },
          { recipient, messages },
          now,
        ),
      )
      expired.push(...messages.map((message_id) => ({ message_id, recipient })))
    }
  }
  return expired
}
