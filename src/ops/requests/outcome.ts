// Records a decision on a request, either immediately or after holding it for a grace period. Everything a decision
// causes is recorded in one transaction: the new status, the answer to the requester, the end of the other people's
// deliveries, the move of the waiting agent run, and the effect of an approval.

import type { Delivery } from '../../core/inbox/delivery.ts'
import { moveAgentRun, mustBePresent } from '../../core/requests/agent-run.ts'
import {
  AGENT_RUN_ENTITY,
  AGENT_RUNS,
  type AgentRun,
} from '../../core/requests/agent-run-record.ts'
import { RUN_MOVE_OF } from '../../core/requests/agent-run-status.ts'
import { queueEffect } from '../../core/requests/effect.ts'
import { EFFECT_COMMANDS } from '../../core/requests/effect-command-record.ts'
import { type DecideWish, decide } from '../../core/requests/request.ts'
import { type HeldRequest, hold } from '../../core/requests/request-hold.ts'
import { REQUESTS, type Request } from '../../core/requests/request-record.ts'
import { type Decision, statusAfterMove } from '../../core/requests/request-status.ts'
import type { LockedThread, Tx } from '../../core/store.ts'
import { firstLine, type Message, type Words } from '../../core/threads/message.ts'
import { stamp } from '../kit/commit.ts'
import type { Context } from '../kit/operation.ts'
import { withMembers } from './payload.ts'
import { keepSeed } from './timeline.ts'

export type LockedRequest = {
  locked: LockedThread
  request: Request
  told: Pick<Delivery, 'recipient'>[]
  /** The agent run that this request reviews, locked; null if the request isn't a review. */
  run: AgentRun | null
}

/** Locks the request as stored, even if something is due on it; null if it doesn't exist. */
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
  const words = run === null ? what.words : addRun(run, what.words)
  const stops = run !== null && RUN_MOVE_OF[move] === 'cancel'
  const wish = { ...what, words, told: people, stops }
  const event = decide(locked.state, request, wish, stamp(context, locked.now, words))
  if (run !== null) mustBePresent(run, request, move)
  const state = tx.record(locked.state, event)
  const moved = run && moveAgentRun(run, request, move, event.message.message_id)
  if (moved) tx.recordStoreEvent({ agent: by, at: locked.now, facts: moved })
  if (command !== null) tx.record(state, queueEffect(state, by, locked.now))
}

export function recordCancel(
  context: Context,
  tx: Tx,
  held: LockedRequest,
  { by, said, about = {} }: { by: string; said: string; about?: object },
): Promise<void> {
  const { revision } = held.request
  const words = {
    summary: said === 'cancelled' ? said : `cancelled: ${said}`,
    body: said,
    payload_json: JSON.stringify({ decision: 'cancel', revision, ...about }),
  }
  return recordOutcome(context, tx, held, { move: 'cancel', by, revision, words })
}

/** The command that approving this request starts; null if the request's type has none. */
async function effectCommandOf(tx: Tx, { request_type }: Request) {
  const command = await tx.rowOf(EFFECT_COMMANDS, request_type)
  return command?.removed_at === null ? command : null
}

function addRun({ agent_run_id, review_id }: AgentRun, words: Words): Words {
  const about = { agent_run_id, review_id, responseMarkdown: words.body }
  return { ...words, payload_json: withMembers(words.payload_json ?? '{}', JSON.stringify(about)) }
}

const SAID: Record<Decision, string> = {
  approve: 'approved',
  reject: 'rejected',
  request_revision: 'revision requested',
}

export type DecisionMade = {
  move: Decision
  by: string
  revision: number
  /** The notes, or the answer to a question. */
  said: string
  /** JSON: the move, the revision, and the payload or answer of an approval. */
  json: string
  payload_sha256?: string | undefined
}

/** The subject alone must say what was decided. */
export function decisionWords(
  { move, said, json }: Pick<DecisionMade, 'move' | 'said' | 'json'>,
  in_reply_to: string,
): Words {
  return {
    summary: firstLine(said === '' ? SAID[move] : `${SAID[move]}: ${said}`),
    body: said,
    payload_json: json,
    in_reply_to,
  }
}

const HELD = '{"held":'

/** Holds the decision for its grace period. Its message can't be mistaken for a decision that already counts. */
export function recordHold(
  context: Context,
  tx: Tx,
  { locked, request, run }: LockedRequest,
  { said, json, ...made }: DecisionMade & { until: string },
): void {
  const words = {
    summary: `held: ${SAID[made.move]}`,
    body: said,
    payload_json: `${HELD}${json}}`,
  }
  const event = hold(locked.state, request, { ...made, words }, stamp(context, locked.now, words))
  if (run !== null) mustBePresent(run, request, made.move)
  tx.record(locked.state, event)
}

/** The decision stored in the message of a hold; null if this program didn't write it. */
export function heldDecision(
  request: HeldRequest,
  { body: said, payload_json }: Pick<Message, 'body' | 'payload_json'>,
): DecisionMade | null {
  if (!payload_json.startsWith(HELD)) return null
  return {
    move: request.held_move,
    by: request.held_by,
    revision: request.revision,
    said,
    json: payload_json.slice(HELD.length, -1),
    payload_sha256: request.held_payload_sha256,
  }
}
