// Says which events of a request can follow on what is there, and what a log from outside may not say of one.

import { isPerson } from '../agents/agent.ts'
import type { LogSoFar } from '../record.ts'
import { mustLink } from './link-events.ts'
import type { Request, RequestFacts } from './request-record.ts'
import { type RequestMove, statusAfterMove } from './request-status.ts'
import { mustBeUnused } from './use-events.ts'

/** The move of a request that an event of it is. The others leave the status as it is. */
export const MOVE_OF = {
  request_resubmit: 'resubmit',
  request_approve: 'approve',
  request_reject: 'reject',
  request_revise: 'request_revision',
  request_cancel: 'cancel',
  request_expire: 'expire',
} as const satisfies Record<string, RequestMove>

const DECISIONS_BY_PEOPLE: readonly string[] = [
  ...['request_approve', 'request_reject', 'request_revise', 'request_hold'],
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
 * A person who made the request has said that it is approved if nobody decides, as it was then: a later revision is
 * not. No agent is called system.
 */
function isApprovedByTime(agent: string, before: Request | null): boolean {
  return agent === 'system' && before?.on_expiry === 'approve' && before.revision === 1
}
