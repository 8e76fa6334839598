// A kind of thread, as its subject declares it. src/core/kinds.ts lists the kinds. Whoever has to know what threads of
// a kind are like looks there, and asks for no kind by its name.

import type { Refusal } from '../error.ts'
import type { EventsOf, Facts } from '../event.ts'
import type { MailFacts } from '../mail/mail-facts.ts'
import type { Caller, ToolSet } from '../principal.ts'
import type { Sentence } from '../sentence.ts'

/**
 * `Status` and `Move` are all the statuses that a thread of the kind can have, and all that can happen to it; `Own` is
 * what its events say.
 */
export type Kind<Status extends string, Move extends string, Own extends { type: string }> = {
  /** For every status the moves that are legal, and the status that each leads to. */
  moves: Record<Status, Partial<Record<Move, Status>>>
  /** The status of a thread that begins. */
  first: Status
  /** Whether agents take leases on its threads, to work on them. */
  leased: boolean
  /** The set of tools that is about it. A token for other sets neither sees its threads nor hears of them. */
  set: ToolSet
  /** Which of its threads each kind of caller sees. */
  sight: Record<Caller | 'orchestrator', Sight>
  /** Whether a token for one workspace sees the pushes from there, and no other thread of the kind. */
  ofWorkspaces: boolean
  /** How one answers in a thread of it. */
  answerWith(threadId: string): Sentence
  /** What becomes of mail that answers in a thread of it. Absent: none may. */
  letters?: Letters
  /** Whether messages for an agent that was turned off go back to their senders. */
  bounces: boolean
  retention: Retention
  /** The events of its threads, except those that a record of it declares (src/core/records.ts). */
  events: EventsOf<Own>
  /** Never there. It carries the type. */
  readonly types?: { facts: Own }
}

/** All threads; those in which the caller began, wrote or got something; or only those that it began. */
export type Sight = 'all' | 'party' | 'begun'

type Letters = {
  /** The event that such a letter is. */
  event: Extract<Facts, MailFacts>['type']
  /** The refusal of one in a thread that is over. Absent: no thread of the kind ever is. */
  refuseLate?(threadId: string): Refusal
  /** Whether the agent that began a thread may write to people in it, though it may not elsewhere. */
  reachPeople: boolean
  /** Whether the store says there what has not arrived. Otherwise it sends that as mail of its own. */
  fromSystem: boolean
}

/**
 * When `prune` may remove a thread: once it is finished; once nobody has anything left to read or to answer in it; or
 * once it was put away or deleted.
 */
export type Retention = 'finished' | 'settled' | 'trashed'
