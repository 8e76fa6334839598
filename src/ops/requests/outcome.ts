// How a request comes to a decision, whoever or whatever makes it. Everything that a decision causes is recorded here,
// in the one transaction: the status, the answer to the requester, the end of what others still had to look at, what
// becomes of the agent run that waited for it, and the effect of an approval.

import type { Delivery } from '../../core/inbox/delivery.ts'
import { moveRun, mustBePresent } from '../../core/requests/agent-run.ts'
import {
  AGENT_RUN_ENTITY,
  AGENT_RUNS,
  type AgentRun,
} from '../../core/requests/agent-run-record.ts'
import { RUN_MOVE_OF } from '../../core/requests/agent-run-status.ts'
import { queueEffect } from '../../core/requests/effect.ts'
import { EFFECT_COMMANDS } from '../../core/requests/effect-command-record.ts'
import { type DecideWish, decide } from '../../core/requests/request.ts'
import { REQUESTS, type Request } from '../../core/requests/request-record.ts'
import { statusAfterMove } from '../../core/requests/request-status.ts'
import type { LockedThread, Tx } from '../../core/store.ts'
import { stamp } from '../kit/commit.ts'
import type { Context } from '../kit/operation.ts'
import { runWords } from './agent-run-view.ts'
import { keepSeed } from './timeline.ts'

/** A request under its lock, with the deliveries of its thread. */
export type LockedRequest = {
  locked: LockedThread
  request: Request
  told: Pick<Delivery, 'recipient'>[]
  /** The agent run that the request is a review of, under its lock; null when it is none. */
  run: AgentRun | null
}

/** The request as it is stored, though something may be due about it; null if there is none. */
export async function lockAsStored(tx: Tx, id: string): Promise<LockedRequest | null> {
  const [locked, request, told] = await Promise.all([
    tx.lock(id),
    tx.rowOf(REQUESTS, id),
    tx.deliveriesOf({ thread_id: id }),
  ])
  if (locked === null || request === null) return null
  const isReview = request.entity_type === AGENT_RUN_ENTITY
  const run = isReview ? await tx.lockRow(AGENT_RUNS, request.entity_id) : null
  return { locked, request, told, run }
}

export async function recordOutcome(
  context: Context,
  tx: Tx,
  { locked, request, told, run }: LockedRequest,
  what: Omit<DecideWish, 'told'>,
): Promise<void> {
  const isApproval = statusAfterMove(request.status, what.move) === 'approved'
  const [command] = isApproval
    ? await Promise.all([effectCommandOf(tx, request), keepSeed(tx)])
    : [null]
  const people = [...new Set(told.map(({ recipient }) => recipient))]
  const { move, by } = what
  const words = run === null ? what.words : runWords(run, what.words)
  const stops = run !== null && RUN_MOVE_OF[move] === 'cancel'
  const wish = { ...what, words, told: people, stops }
  const event = decide(locked.state, request, wish, stamp(context, locked.now, words))
  if (run !== null) mustBePresent(run, request, move)
  const state = tx.record(locked.state, event)
  const moved = run && moveRun(run, request, move, event.message.message_id)
  if (moved) tx.recordStoreEvent({ agent: by, at: locked.now, summary: '', facts: moved })
  if (command !== null) tx.record(state, queueEffect(state, by, locked.now))
}

/** The command that an approval of such a request starts; null if its type has none. */
async function effectCommandOf(tx: Tx, { request_type }: Request) {
  const command = await tx.rowOf(EFFECT_COMMANDS, request_type)
  return command?.removed_at === null ? command : null
}
