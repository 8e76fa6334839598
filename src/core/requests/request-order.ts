// The rules for requests in a log: which events can follow an existing row, what a log from outside must not contain,
// and that digests match the payloads in the messages.

import { isPerson } from '../agents/agent.ts'
import { canonicalText, type Json } from '../json.ts'
import type { LogSoFar, NamedDigest } from '../record.ts'
import { readStored } from '../shallow.ts'
import type { Message } from '../threads/message.ts'
import type { Request, RequestFacts } from './request-record.ts'
import { type RequestMove, statusAfterMove } from './request-status.ts'

/** The move that each event makes. Events that aren't listed leave the status unchanged. */
export const MOVE_OF = {
  request_resubmit: 'resubmit',
  request_approve: 'approve',
  request_reject: 'reject',
  request_revise: 'request_revision',
  request_cancel: 'cancel',
  request_expire: 'expire',
} as const satisfies Record<string, RequestMove>

const DECISIONS_BY_PEOPLE: readonly string[] = [
  'request_approve',
  'request_reject',
  'request_revise',
  'request_hold',
]

export function mustFollow(before: Request | null, facts: RequestFacts): void {
  if (facts.type === 'request_create' || before === null) return
  if (facts.type === 'request_use') {
    mustBeUnused(before, facts)
    return
  }
  const { status, revision, held_move, is_open, remind_at, escalated_at } = before
  if (facts.type === 'request_link' || facts.type === 'request_unlink') {
    mustLink(before.links, facts)
    return
  }
  if (facts.type === 'request_undo') {
    if (held_move === null) throw new Error('request_undo of a request that is not held')
    return
  }
  if (facts.type === 'request_remind' || facts.type === 'request_escalate') {
    const isAsked = facts.type === 'request_remind' ? remind_at !== null : escalated_at === null
    if (is_open && isAsked && held_move === null) return
    throw new Error(`${facts.type} of a request that is ${status}, or another time`)
  }
  const move = facts.type === 'request_hold' ? facts.move : MOVE_OF[facts.type]
  if (statusAfterMove(status, move) === undefined) {
    throw new Error(`${facts.type} of a request that is ${status}`)
  }
  if (held_move !== null && (facts.type === 'request_hold' || move !== held_move)) {
    throw new Error(`${facts.type} of a request that is held to ${held_move}`)
  }
  const expected = facts.type === 'request_resubmit' ? revision + 1 : revision
  if (facts.revision !== expected) {
    throw new Error(`${facts.type} of revision ${facts.revision}, where ${expected} is next`)
  }
}

type FactsFor<Type> = Extract<RequestFacts, { type: Type }>

function mustLink(
  before: readonly string[],
  { type, linked, links }: FactsFor<'request_link' | 'request_unlink'>,
): void {
  const left = before.filter((one) => one !== linked)
  const expected = type === 'request_link' ? [...left, linked] : left
  if (before.length !== links.length && expected.join() === links.join()) return
  throw new Error(`${type} of ${linked} does not lead from ${before.join()} to ${links.join()}`)
}

function mustBeUnused(
  { status, used_at, payload_sha256 }: Request,
  facts: FactsFor<'request_use'>,
): void {
  if (status !== 'approved') throw new Error(`request_use of a request that is ${status}`)
  if (used_at !== null) throw new Error('request_use of a request that was used')
  if (facts.payload_sha256 !== payload_sha256) {
    throw new Error('request_use of another payload than was approved')
  }
}

export function admit(
  facts: RequestFacts,
  { agent, before, noted: reviews }: LogSoFar<Request>,
): void {
  if (facts.type === 'request_create' && facts.review_id !== '') {
    const review = `${agent} ${facts.review_id}`
    if (reviews.has(review)) throw new Error(`${agent} has submitted this review before`)
    reviews.add(review)
  }
  if (facts.type === 'request_create' && facts.on_expiry === 'approve' && !isPerson(agent)) {
    throw new Error(`it is approved by itself, and ${agent}, who asks, is no person`)
  }
  if (!DECISIONS_BY_PEOPLE.includes(facts.type)) return
  if ((before?.held_by ?? agent) !== agent) {
    throw new Error(`${agent} decides, and ${before?.held_by} did already`)
  }
  if (isPerson(agent) || ('by_service' in facts && facts.by_service)) return
  if (facts.type === 'request_approve' && isApprovedByTime(agent, before)) return
  throw new Error(`${agent} decides, and is no person`)
}

/**
 * Whether this is an automatic approval, which the person who made the request asked for in case no one decides. It
 * covers only the first revision. No agent can be named `system`.
 */
function isApprovedByTime(agent: string, before: Request | null): boolean {
  return agent === 'system' && before?.on_expiry === 'approve' && before.revision === 1
}

const WITH_DIGEST = ['request_create', 'request_resubmit', 'request_approve'] as const

/** The digest in these events must match the payload in the event's message. */
export const DIGESTED = {
  events: WITH_DIGEST,
  of(
    facts: RequestFacts,
    { payload_json }: Pick<Message, 'payload_json'>,
    before: Request | null,
  ): NamedDigest {
    const { payload_sha256: sha256 } = facts as FactsFor<(typeof WITH_DIGEST)[number]>
    const { payload } = readStored(payload_json) as { payload?: Json }
    if (payload !== undefined) return { sha256, of: { text: canonicalText(payload) } }
    // An approval without a payload approves the requested payload.
    return { sha256, of: { sha256: before?.payload_sha256 ?? 'missing' } }
  },
}
