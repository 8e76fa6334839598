// Carries out whatever is due on requests: held decisions, expiry, escalation, reminders. A server, a sweep, a wait,
// a read or a write does this, whichever comes first. Each step is one transaction that checks again under the
// request's lock, so it happens exactly once, and if the process is killed the next one takes over.

import { Refusal } from '../../core/error.ts'
import { SYSTEM } from '../../core/event.ts'
import { isPresentReview } from '../../core/requests/agent-run-record.ts'
import {
  dueAt,
  escalate,
  findDue,
  isOutdated,
  listToRemind,
  remind,
} from '../../core/requests/request-expiry.ts'
import { isHolding, undo } from '../../core/requests/request-hold.ts'
import { NOT_HELD, REQUESTS, type Request } from '../../core/requests/request-record.ts'
import type { Tx } from '../../core/store.ts'
import { firstLine, type Message, type Words } from '../../core/threads/message.ts'
import { epochMs } from '../../core/time.ts'
import type { Chore } from '../../wake/wait.ts'
import { DoFirst, stamp } from '../kit/commit.ts'
import type { Context } from '../kit/operation.ts'
import {
  decisionWords,
  heldDecision,
  type LockedRequest,
  lockAsStored,
  recordOutcome,
} from './outcome.ts'
import { unknownRequest } from './request-view.ts'

/** How many requests one read or sweep brings up to date, to keep it short. */
const APPLIED_AT_ONCE = 100

async function applyDue(context: Context, id: string): Promise<void> {
  while (await applyNextDue(context, id)) {}
}

async function applyNextDue(context: Context, id: string): Promise<boolean> {
  const { value } = await context.store.write(async (tx) => {
    const held = await lockAsStored(tx, id)
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
  // A held decision in an imported log was made in another store. It's undone, and people decide again here.
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

/** Whether the request is a review that its agent run is no longer waiting for. */
function isStale({ run, request }: LockedRequest): boolean {
  return run !== null && !isPresentReview(run, request.thread_id)
}

/** Applies what is due on up to `limit` requests and returns how many. One failure doesn't stop the others. */
export async function applyAllDue(context: Context, limit = APPLIED_AT_ONCE): Promise<number> {
  const { store } = context
  const due = await store.dueRequests(await store.now(), limit)
  const ids = new Set(due.map(({ thread_id }) => thread_id))
  const failures: unknown[] = []
  for (const id of ids) await applyDue(context, id).catch((error) => failures.push(error))
  if (failures.length > 0) throw failures[0]
  return ids.size
}

/** Called before reading one request or a list of them. If the store refuses writes, whatever is due stays due. */
export async function applyDueBeforeLook(context: Context, id?: string): Promise<void> {
  const { store } = context
  try {
    if (id === undefined) return void (await applyAllDue(context))
    const [request, now] = await Promise.all([store.rowOf(REQUESTS, id), store.now()])
    if (request !== null && findDue(request, now) !== null) await applyDue(context, id)
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
  }
}

/** Lets a wait carry out the steps of its request as soon as they're due. */
export function makeDueChore(context: Context, seen: () => Request | undefined): Chore {
  return {
    async dueMs() {
      const request = seen()
      const at = request === undefined ? null : dueAt(request)
      return at === null ? null : Math.max(0, epochMs(at) - epochMs(await context.store.now()))
    },
    async run() {
      const request = seen()
      if (request !== undefined) await applyDue(context, request.thread_id)
    },
  }
}

async function letTimeAct(
  context: Context,
  tx: Tx,
  held: LockedRequest,
  due: 'expire' | 'approve' | 'escalate' | 'remind',
): Promise<void> {
  const { request, locked } = held
  const shown = await tx.message(request.revision_message)
  if (due === 'expire' || due === 'approve') {
    // An imported request is never approved automatically.
    const move = shown?.imported_by === null ? due : 'expire'
    const words = endWords(request, move)
    await recordOutcome(context, tx, held, {
      move,
      by: SYSTEM,
      revision: request.revision,
      words,
    })
    return
  }
  const people = await tx.people()
  const words = askingWords(request, due, shown)
  const at = stamp(context, locked.now, words)
  if (due === 'remind') {
    const want = { words, recipients: listToRemind(request, people) }
    tx.record(locked.state, remind(locked.state, request, want, at))
  } else {
    const { escalate_to: to } = request
    const want = { words, recipients: to === '' ? people : [to] }
    tx.record(locked.state, escalate(locked.state, request, want, at))
  }
}

function endWords({ revision, revision_message }: Request, move: 'expire' | 'approve'): Words {
  const why = 'no one decided in time'
  const said =
    move === 'expire' ? why : `${why}, and the request was created to be approved in that case`
  return {
    summary: `${move === 'expire' ? 'expired' : 'approved'}: ${said}`,
    body: said,
    payload_json: JSON.stringify({ decision: move, revision }),
    in_reply_to: revision_message,
  }
}

function askingWords(
  { thread_id: id, requester, created_at }: Request,
  due: 'escalate' | 'remind',
  shown: Pick<Message, 'summary'> | null,
): Words {
  const word = due === 'remind' ? 'reminder' : 'escalated'
  return {
    summary: firstLine(`${word}: ${shown?.summary ?? id}`),
    body: `Request ${id} by ${requester} waits for a decision since ${created_at}.`,
    payload_json: JSON.stringify({ [word]: id }),
  }
}

/** Locks a request after carrying out whatever is due on it. */
export async function lockRequest(tx: Tx, id: string): Promise<LockedRequest> {
  const held = await lockIfThere(tx, id)
  if (held === null) throw unknownRequest(id)
  return held
}

/** Like `lockRequest`, but null if the request was pruned. */
export async function lockIfThere(tx: Tx, id: string): Promise<LockedRequest | null> {
  const held = await lockAsStored(tx, id)
  if (held !== null && isOutdated(held.request, held.locked.now)) {
    throw new DoFirst((context) => applyDue(context, id))
  }
  return held
}
