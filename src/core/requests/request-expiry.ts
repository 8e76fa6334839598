// What happens to requests automatically over time. What is due follows from a request's row and the current time.
//
// (1) A held decision that is due is applied (request-hold.ts), and nothing else happens to the request before that.
// (2) If a request isn't decided in time, it is kept, expires, is approved or is passed on to another person, as the
//     request specifies. A request that is kept can still be decided, and is shown as overdue.
// (3) A request can be approved automatically only if it was made by a person who could approve it. If it was ever sent
//     back for a revision, or was imported, it expires instead: a later revision may come from someone who couldn't
//     approve it.
// (4) Everyone who can decide is reminded once.

import { isPerson, USER } from '../agents/agent.ts'
import { type SpokenEvent, SYSTEM } from '../event.ts'
import { type Stamp, say, spokenEvent } from '../threads/commands.ts'
import type { ThreadState } from '../threads/evolve.ts'
import type { Words } from '../threads/message.ts'
import type { Instant } from '../time.ts'
import { peopleAsked } from './hearers.ts'
import { mayDecide } from './request.ts'
import type { Request, RequestFacts } from './request-record.ts'

/** Requests that have been open this long are pointed out to people. */
export const LONG_WAIT_SECONDS = 7 * 86_400

/** What can happen automatically, in this order if several are due at once. */
type Due = 'held' | 'expire' | 'approve' | 'escalate' | 'remind'

/** When the next automatic step is due; null if there is none. */
export function dueAt({ held_until, remind_at, lapses_at }: Request): Instant | null {
  if (held_until !== null) return held_until
  return [remind_at, lapses_at].filter((at) => at !== null).sort()[0] ?? null
}

export function findDue(request: Request, now: Instant): Due | null {
  const { held_until, status, revision, on_expiry, lapses_at, remind_at } = request
  const isPast = (at: Instant | null) => at !== null && at <= now
  if (held_until !== null) return isPast(held_until) ? 'held' : null
  if (!isPast(lapses_at)) return isPast(remind_at) ? 'remind' : null
  if (on_expiry === 'escalate') return 'escalate'
  const isAsMade = status === 'pending' && revision === 1
  return on_expiry === 'approve' && isAsMade && approvesItself(request) ? 'approve' : 'expire'
}

/** Whether something is due that changes the request's row. A reminder doesn't. */
export function isOutdated(request: Request, now: Instant): boolean {
  const due = findDue(request, now)
  return due !== null && due !== 'remind'
}

export function isOverdue({ is_open, expires_at }: Request, now: Instant): boolean {
  return is_open && expires_at !== null && expires_at <= now
}

/** Whether the requester could approve the request, and can therefore have it approved automatically. */
export function approvesItself(
  request: Pick<Request, 'policy' | 'deciders' | 'requester'>,
): boolean {
  const { requester: name } = request
  return isPerson(name) && mayDecide(request, { kind: 'person', name })
}

/** The people who are asked about the request and may decide it. */
export function listToRemind(request: Request, people: readonly string[]): string[] {
  const { policy, deciders } = request
  const candidates = policy === 'named' ? deciders : peopleAsked(request, people)
  return candidates.filter((name) => mayDecide(request, { kind: 'person', name }))
}

type TimeWish = { words: Words; recipients: string[] }

export function remind(
  state: ThreadState,
  { revision }: Request,
  { words, recipients }: TimeWish,
  stamp: Stamp,
): SpokenEvent {
  return told(state, USER, words, stamp, { type: 'request_remind', recipients, revision })
}

export function escalate(
  state: ThreadState,
  { revision, escalate_to: asked, deciders, policy }: Request,
  { words, recipients }: TimeWish,
  stamp: Stamp,
): SpokenEvent {
  const isNew = policy === 'named' && asked !== '' && !deciders.includes(asked)
  return told(state, asked === '' ? USER : asked, words, stamp, {
    type: 'request_escalate',
    recipients,
    revision,
    asked,
    deciders: isNew ? [...deciders, asked] : deciders,
  })
}

function told(
  { thread }: ThreadState,
  to: string,
  words: Words,
  stamp: Stamp,
  facts: RequestFacts,
): SpokenEvent {
  const message = say(thread, { from: SYSTEM, to, kind: 'question', words }, stamp)
  return spokenEvent(thread, message, facts)
}
