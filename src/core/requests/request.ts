// A request is something that a person must answer: an approval, a question, a review.
//
// (1) A request is a separate thread, started by the requester and delivered to people. Its id is the thread's id.
// (2) A revision is a message: its summary is the title, its body the description, and its payload is kept exactly as
//     given. A revision never changes; resubmitting the request adds the next one.
// (3) A decision names the revision that was shown. If there is a later one, the decision is refused.
// (4) A decision is one event, which sets the status, records who decided and when, answers the requester and ends
//     other people's deliveries. So two people can't both decide, and the requester always gets the decision.

import { USER } from '../agents/agent.ts'
import { operation, Refusal, refuse, sentence } from '../error.ts'
import type { SpokenEvent, ThreadEvent } from '../event.ts'
import type { Principal } from '../principal.ts'
import { newThread, type Stamp, say, silentEvent, spokenEvent } from '../threads/commands.ts'
import type { ThreadState } from '../threads/evolve.ts'
import type { Words } from '../threads/message.ts'
import type { Instant } from '../time.ts'
import type { Request, RequestFacts } from './request-record.ts'
import {
  type Decision,
  isResolved,
  outcomeOf,
  REQUEST_MOVES,
  type RequestMove,
  statusAfterMove,
} from './request-status.ts'

type CreateFacts = Extract<RequestFacts, { type: 'request_create' }>

export type AskWish = Omit<CreateFacts, 'type' | 'revision' | 'revision_message'> & {
  thread_id: string
  from: string
  words: Words
}

export function ask(want: AskWish, stamp: Stamp): SpokenEvent {
  const { thread_id, from, words, ...asked } = want
  const to = asked.asked === '' ? USER : asked.asked
  const thread = newThread(thread_id)
  const message = say(thread, { from, to, kind: 'question', words }, stamp)
  return spokenEvent(thread, message, {
    type: 'request_create',
    ...asked,
    revision: 1,
    revision_message: message.message_id,
  })
}

export type ResubmitWish = {
  from: string
  recipients: string[]
  words: Words
  payload_sha256: string
  revision: number
}

export function resubmit(
  { thread }: ThreadState,
  request: Request,
  want: ResubmitWish,
  stamp: Stamp,
): SpokenEvent {
  mustBeAt(request, 'resubmit', want.revision)
  const { from, words, recipients, payload_sha256 } = want
  const to = request.recipient === '' ? USER : request.recipient
  const message = say(thread, { from, to, kind: 'question', words }, stamp)
  return spokenEvent(thread, message, {
    type: 'request_resubmit',
    recipients,
    revision: request.revision + 1,
    payload_sha256,
    revision_message: message.message_id,
  })
}

const EVENT_OF = {
  approve: 'request_approve',
  reject: 'request_reject',
  request_revision: 'request_revise',
  cancel: 'request_cancel',
  expire: 'request_expire',
} as const

export type DecideWish = {
  move: Decision | 'cancel' | 'expire'
  by: string
  /** Whether a service decides, rather than a person (or the requester, for a cancellation). */
  isService?: boolean | undefined
  revision: number
  words: Words
  /** The digest of the approved payload, if the approver changed it. */
  payload_sha256?: string | undefined
  told: string[]
  /** Whether to tell the requester to stop, without waking it for that. */
  stops?: boolean
}

export function decide(
  { thread }: ThreadState,
  request: Request,
  want: DecideWish,
  stamp: Stamp,
): SpokenEvent {
  const { move, by, revision, words, told, stops = false } = want
  mustBeAt(request, move, revision)
  const { requester, payload_sha256 } = request
  const kind = stops ? 'control' : 'answer'
  const message = say(thread, { from: by, to: requester, kind, words }, stamp)
  const verdict = {
    // A requester that cancels its own request doesn't need to be notified.
    recipients: by === requester ? [] : [requester],
    // The decider's deliveries end too, including reminders and escalations.
    settles: told.filter((one) => one !== requester || by === requester),
    revision,
    decision_message: message.message_id,
    ...(want.isService ? { by_service: true } : {}),
  }
  const type = EVENT_OF[move]
  const facts: RequestFacts =
    type === 'request_approve'
      ? { type, ...verdict, payload_sha256: want.payload_sha256 ?? payload_sha256 }
      : { type, ...verdict }
  return spokenEvent(thread, message, facts)
}

export type RequestCaller = Pick<Principal, 'kind' | 'name'>

/**
 * Whether the request allows this caller to decide. A service can decide like a person, but no policy can name it.
 * Whether this caller may decide at all is checked at its door (isDecider in principal.ts).
 */
export function mayDecide(
  { policy, deciders, requester }: Pick<Request, 'policy' | 'deciders' | 'requester'>,
  { kind, name }: RequestCaller,
): boolean {
  if (kind === 'agent') return false
  if (policy === 'named') return kind !== 'service' && deciders.includes(name)
  return policy === 'human_only' || name !== requester
}

/** Whether this caller may resubmit or cancel the request, or change its links. */
export function isTheirs(
  { requester }: Pick<Request, 'requester'>,
  { kind, name }: RequestCaller,
): boolean {
  return name === requester || kind === 'person'
}

/** The moves this caller may make now. */
export function movesOpenTo(
  request: Request,
  who: RequestCaller,
  decides: boolean,
): (RequestMove | 'undo_decision')[] {
  if (request.held_by !== null) {
    return decides && who.name === request.held_by ? ['undo_decision'] : []
  }
  const moves = Object.keys(REQUEST_MOVES[request.status]) as RequestMove[]
  return moves.filter((move) => {
    if (move === 'expire') return false
    if (move === 'resubmit' || move === 'cancel') return isTheirs(request, who)
    return decides && mayDecide(request, who)
  })
}

/** The most links a request can have: about as many threads as a person can look through. */
const MOST_LINKS = 20

export function link(
  { thread }: ThreadState,
  { thread_id: id, links }: Request,
  want: { by: string; linked: string; isLinked: boolean },
  now: Instant,
): ThreadEvent | null {
  const { by, linked, isLinked } = want
  if (links.includes(linked) === isLinked) return null
  if (isLinked && links.length >= MOST_LINKS)
    throw refuse.invalid_state`request ${{ request_id: id }} is linked to ${MOST_LINKS} threads; take one out with ${operation('request unlink', { request: id, thread: links[0] ?? '' })}`
  const left = links.filter((one) => one !== linked)
  const facts: RequestFacts = isLinked
    ? { type: 'request_link', linked, links: [...left, linked] }
    : { type: 'request_unlink', linked, links: left }
  return silentEvent(thread, by, now, facts)
}

/** Refuses a move if the status doesn't allow it, a decision is being held, or the move names another revision. */
export function mustBeAt(request: Request, move: RequestMove, revision: number): void {
  if (statusAfterMove(request.status, move) === undefined) throw cannotMove(request, move)
  if (request.held_by !== null) throw isHeld(request)
  if (request.revision === revision) return
  const { thread_id: id } = request
  throw refuse.revision_conflict`request ${{ request_id: id }} is at revision ${{ revision: request.revision }}, but you named ${revision}; look at it with ${operation('request get', { request: id })}`
}

function isHeld({ thread_id: id, status, held_by, held_until }: Request): Refusal {
  return new Refusal(
    'invalid_state',
    sentence`request ${id} was decided by ${held_by ?? 'nobody'}, who can undo it until ${held_until ?? 'it counts'} with ${operation('undo-decision', { request: id })}; try again then`,
    { request_id: id, status, held_by, held_until },
  )
}

function cannotMove(request: Request, move: RequestMove): Refusal {
  const { thread_id: id, status, decided_by, decided_at } = request
  const details = { request_id: id, status, decided_by, decided_at }
  if (isResolved(status)) {
    return new Refusal(
      'invalid_state',
      sentence`request ${id} ${outcomeOf(request)}; it can no longer be changed`,
      details,
    )
  }
  const remedy =
    status === 'pending'
      ? sentence`wait until it is decided, or cancel it with ${operation('cancel-request', { request: id })}`
      : sentence`see ${operation('request get', { request: id })}`
  return new Refusal(
    'invalid_state',
    sentence`cannot ${move.replace('_', ' ')} request ${id}: it is ${status}; ${remedy}`,
    details,
  )
}
