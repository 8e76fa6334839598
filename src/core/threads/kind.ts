// A kind of thread, as its subject declares it. src/core/kinds.ts lists the kinds. Code that treats kinds differently
// looks at the declaration instead of checking for a kind by name.

import type { Refusal, Sentence } from '../error.ts'
import type { EventsOf, Facts } from '../event.ts'
import type { MailFacts } from '../mail/mail-facts.ts'
import type { Caller, ToolSet } from '../principal.ts'
import type { Reads } from '../store.ts'
import type { Words } from './message.ts'

/** `Status` and `Move` are the statuses and moves of the kind's threads; `Own` is the type of its events' facts. */
export type Kind<Status extends string, Move extends string, Own extends { type: string }> = {
  /** The legal moves of each status, and the status each one leads to. */
  moves: Record<Status, Partial<Record<Move, Status>>>
  first: Status
  /** Whether agents take leases on its threads, to work on them. */
  leased: boolean
  /** The tool set of this kind. A token for other sets can't see these threads or their events. */
  set: ToolSet
  sight: Record<Caller | 'orchestrator', Sight>
  /** Whether a token for one workspace sees only that workspace's pushes among threads of this kind. */
  ofWorkspaces: boolean
  answerWith(threadId: string): Sentence
  /** How mail can reply in a thread of this kind. If absent, it can't. */
  letters?: Letters
  /** Whether messages for an agent that was turned off go back to their senders. */
  bounces: boolean
  /** Whether a returned message is reported to everyone in the thread, not only to its sender. */
  tellsAll?: true
  retention: Retention
  /** The events of its threads, except those declared by its record (src/core/records.ts). */
  events: EventsOf<Own>
  readonly types?: { facts: Own }
}

/**
 * all: every thread. party: threads that the caller began, wrote in or received something in. member: those, and the
 * threads of an instance it belongs to. begun: only threads it began.
 */
export type Sight = 'all' | 'party' | 'member' | 'begun'

export type Hearers = {
  address: string
  recipients: string[]
  /** The message that a letter answers if its writer doesn't name one. */
  about: string
}

type Letters = {
  /** The letter's content as it appears in the thread; throws if it can't appear there. */
  inThread?(words: Words): Words
  /** Who receives a letter sent by `reply` in a thread of this kind. If absent, `reply` is refused there. */
  hearersIn?(
    reads: Pick<Reads, 'rowOf' | 'people'>,
    threadId: string,
    from: string,
  ): Promise<Hearers>
  event: Extract<Facts, MailFacts>['type']
  /** The refusal of a letter in a thread that is over; absent if threads of this kind never end. */
  refuseLate?(threadId: string): Refusal
  /** Whether the agent that began a thread may write to people in it even if it can't write to them elsewhere. */
  reachPeople: boolean
  /** Whether the store's notices about undelivered messages go into the thread, instead of being separate mail. */
  fromSystem: boolean
}

/**
 * When `prune` may remove a thread. finished: once it's finished. handled: once no one has anything left to read or
 * answer in it. trashed: once it was trashed or deleted. resolved: once its record is resolved, and only on request.
 * outlived: once it was replaced, or what it belongs to is over. left: once no one runs its instance anymore.
 */
export type Retention = 'finished' | 'handled' | 'trashed' | 'resolved' | 'outlived' | 'left'
