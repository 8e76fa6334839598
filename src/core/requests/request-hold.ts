// A decision with a grace period. Until the period is over, the status doesn't change, and the person who decided can
// take the decision back.
//
// (1) The whole decision is held: who, which move, which revision, the notes, and the digest of what was decided. While
//     it's held, no one else can decide, and the request can be neither resubmitted nor canceled.
// (2) When the decision is due, the first process to come across it applies it in the name of the person who decided: a
//     server, a waiter, a read or a write (src/ops/requests). It is applied like any other decision.

import { operation, Refusal, refuse, sentence } from '../error.ts'
import type { SpokenEvent, ThreadEvent } from '../event.ts'
import { type Stamp, say, silentEvent, spokenEvent } from '../threads/commands.ts'
import type { ThreadState } from '../threads/evolve.ts'
import type { Words } from '../threads/message.ts'
import type { Instant } from '../time.ts'
import { mustBeAt } from './request.ts'
import type { HeldDecision, Request } from './request-record.ts'
import { type Decision, outcomeOf } from './request-status.ts'

export const LONGEST_GRACE_SECONDS = 60

export type HeldRequest = Request & {
  [Field in keyof HeldDecision]: NonNullable<HeldDecision[Field]>
}

export type HoldWish = {
  move: Decision
  by: string
  revision: number
  words: Words
  payload_sha256?: string | undefined
  until: Instant
}

export function hold(
  { thread }: ThreadState,
  request: Request,
  want: HoldWish,
  stamp: Stamp,
): SpokenEvent {
  const { move, by, revision, words, until } = want
  mustBeAt(request, move, revision)
  const message = say(thread, { from: by, to: request.requester, kind: 'event', words }, stamp)
  return spokenEvent(thread, message, {
    type: 'request_hold',
    move,
    revision,
    until,
    payload_sha256: want.payload_sha256 ?? request.payload_sha256,
    held_message: message.message_id,
  })
}

/** Takes back a held decision. Only the person who made it can, or the system if it can't be applied here. */
export function undo(
  { thread }: ThreadState,
  request: Request,
  by: { name: string; isSystem: boolean },
  now: Instant,
): ThreadEvent {
  const { thread_id: id, status, held_by, decided_by, decided_at, revision } = request
  if (held_by === null) {
    throw new Refusal(
      'invalid_state',
      decided_by === null
        ? sentence`request ${id} is ${status}, and no decision about it is held; see ${operation('request get', { request: id })}`
        : sentence`request ${id} ${outcomeOf(request)}; that can no longer be taken back`,
      { request_id: id, status, decided_by, decided_at },
    )
  }
  if (held_by !== by.name && !by.isSystem)
    throw refuse.forbidden`request ${{ request_id: id }} was decided by ${{ held_by }}, so ${by.name} cannot undo it; ask ${held_by}`
  return silentEvent(thread, by.name, now, { type: 'request_undo', revision })
}

export function isHolding(request: Request): request is HeldRequest {
  return request.held_by !== null
}
