// A decision with a grace, before and after it counts.

import { mustBePresent } from '../../core/requests/agent-run.ts'
import { type HeldRequest, hold } from '../../core/requests/request-hold.ts'
import type { Decision } from '../../core/requests/request-status.ts'
import type { Tx } from '../../core/store.ts'
import type { Message, Words } from '../../core/threads/message.ts'
import { stamp } from '../kit/commit.ts'
import type { Context } from '../kit/operation.ts'
import { subjectOf } from '../pushes/push.ts'
import type { LockedRequest } from './outcome.ts'

const SAID: Record<Decision, string> = {
  approve: 'approved',
  reject: 'rejected',
  request_revision: 'revision requested',
}

/** A decision by somebody, with all that is said in it. */
export type DecisionMade = {
  move: Decision
  by: string
  revision: number
  /** The notes, or the answer to a question. */
  said: string
  /** JSON: the move, the revision, and what an approval says more than yes. */
  json: string
  payload_sha256?: string | undefined
}

/** The words of a decision. A reader of the subject alone must know what was decided. */
export function decisionWords(
  { move, said, json }: Pick<DecisionMade, 'move' | 'said' | 'json'>,
  in_reply_to: string,
): Words {
  return {
    summary: subjectOf(said === '' ? SAID[move] : `${SAID[move]}: ${said}`, []),
    body: said,
    payload_json: json,
    artifacts: [],
    in_reply_to,
  }
}

const HELD = '{"held":'

/** Keeps the decision until its grace is over. Nobody who reads its words takes them for a decision that counts. */
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
    artifacts: [],
  }
  const event = hold(locked.state, request, { ...made, words }, stamp(context, locked.now, words))
  if (run !== null) mustBePresent(run, request, made.move)
  tx.record(locked.state, event)
}

/** The decision that the message of a hold says; null if it does not say one in our words. */
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
