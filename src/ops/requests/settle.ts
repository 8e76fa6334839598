// Makes happen what is due about requests by itself. Whoever comes by first does it: a server, a sweep, a waiter, a look,
// or a write. Each thing is one transaction, which decides again under the request's lock; so it happens once, and a
// process that is killed on the way leaves it to the next.

import { Refusal } from '../../core/error.ts'
import { SYSTEM } from '../../core/event.ts'
import { isPresentReview } from '../../core/requests/agent-run-record.ts'
import { dueAt, findDue } from '../../core/requests/request-expiry.ts'
import { isHolding, undo } from '../../core/requests/request-hold.ts'
import { NOT_HELD, REQUESTS, type Request } from '../../core/requests/request-record.ts'
import type { Tx } from '../../core/store.ts'
import { epochMs } from '../../core/time.ts'
import type { Chore } from '../../wake/wait.ts'
import type { Context } from '../kit/operation.ts'
import { letTimeAct } from './expiry.ts'
import { decisionWords, heldDecision } from './hold.ts'
import { type LockedRequest, lockAnyway, recordOutcome } from './outcome.ts'

/** How many requests one look or sweep settles, so that nobody waits long for it. */
const SETTLED_AT_ONCE = 100

/** Does all that is due about one request. */
export async function settle(context: Context, id: string): Promise<void> {
  while (await settleOne(context, id)) {}
}

async function settleOne(context: Context, id: string): Promise<boolean> {
  const { value } = await context.store.write(async (tx) => {
    const held = await lockAnyway(tx, id)
    const due = held && findDue(held.request, held.locked.now)
    if (held === null || due === null) return { did: false }
    if (due === 'held') await makeHeld(context, tx, held)
    else await letTimeAct(context, tx, held, due)
    return { did: true }
  })
  return value.did
}

async function makeHeld(context: Context, tx: Tx, held: LockedRequest): Promise<void> {
  const { request, locked } = held
  if (!isHolding(request)) return
  const said = await tx.message(request.held_message)
  // A decision that an imported log holds was made elsewhere, and starts nothing here: people decide again.
  const isOurs = said !== null && said.imported_by === null && !isStale(held)
  const made = isOurs ? heldDecision(request, said) : null
  if (made === null) {
    const by = { name: SYSTEM, isSystem: true }
    tx.record(locked.state, undo(locked.state, request, by, locked.now))
    return
  }
  const { said: _, json: __, ...what } = made
  const words = decisionWords(made, request.revision_message)
  await recordOutcome(
    context,
    tx,
    { ...held, request: { ...request, ...NOT_HELD } },
    {
      ...what,
      words,
    },
  )
}

/** Whether it is a review that its agent run does not wait for any more. */
function isStale({ run, request }: LockedRequest): boolean {
  return run !== null && !isPresentReview(run, request.thread_id)
}

/** Settles what is due, up to a number of requests. How many there were. One that fails does not keep the others. */
export async function settleDue(context: Context, limit = SETTLED_AT_ONCE): Promise<number> {
  const { store } = context
  const due = await store.dueRequests(await store.now(), limit)
  const ids = new Set(due.map(({ thread_id }) => thread_id))
  const failures: unknown[] = []
  for (const id of ids) await settle(context, id).catch((error) => failures.push(error))
  if (failures.length > 0) throw failures[0]
  return ids.size
}

/** Comes before a look at one request, or at many. Where nothing can be written now, the look shows what is due. */
export async function settleForLook(context: Context, id?: string): Promise<void> {
  const { store } = context
  try {
    if (id === undefined) return void (await settleDue(context))
    const [request, now] = await Promise.all([store.rowOf(REQUESTS, id), store.now()])
    if (request !== null && findDue(request, now) !== null) await settle(context, id)
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
  }
}

/** Has a wait for a request settle it at the moment at which it is due. */
export function settleWhenDue(context: Context, seen: () => Request | undefined): Chore {
  return {
    async dueMs() {
      const request = seen()
      const at = request === undefined ? null : dueAt(request)
      return at === null ? null : Math.max(0, epochMs(at) - epochMs(await context.store.now()))
    },
    async run() {
      const request = seen()
      if (request !== undefined) await settle(context, request.thread_id)
    },
  }
}
