// The decisions about a thread, as pure functions: (state, wish, stamp) -> event, or a refusal. They never read a
// clock, generate an id or touch a store; they're passed what they need.

import { isRole } from '../agents/address.ts'
import { refuse } from '../error.ts'
import { type Facts, type SpokenEvent, SYSTEM, type ThreadEvent } from '../event.ts'
import { KINDS } from '../kinds.ts'
import type { Instant } from '../time.ts'
import type { MessageKind } from '../vocabulary.ts'
import type { ThreadState } from './evolve.ts'
import { type Holder, hasLapsed, mustBeFree, mustHold } from './lease.ts'
import type { Message, Words } from './message.ts'
import { isWorkedOn, mustBeWorkedOn, mustMove, type Thread } from './thread.ts'
import type { Priority } from './work.ts'

/** Passed to every decision with the state: the current time, and fresh ids for what it creates. */
export type Stamp = {
  now: Instant
  messageId: string
  artifactIds: string[]
}

export type OpenThreadWish = {
  thread_id: string
  run_id: string
  task_id: string
  from: string
  to: string
  kind: MessageKind
  subject: string
  priority: Priority
  words: Words
  /** Who gets the work first, if it isn't for a single agent. */
  recipients?: string[] | undefined
}

export function open(want: OpenThreadWish, stamp: Stamp): SpokenEvent {
  const thread = newThread(want.thread_id, want.run_id, want.task_id)
  return spokenEvent(thread, say(thread, want, stamp), {
    type: 'thread_send',
    subject: want.subject,
    assigned_to: want.to,
    priority: want.priority,
    ...(want.recipients === undefined ? {} : { recipients: want.recipients }),
  })
}

export type AppendWish = {
  from: string
  to: string | undefined
  kind: MessageKind
  words: Words
  /** The message this one answers: the one the caller named, or else the open question. */
  answers: AnsweredMessage | null
}

export type AnsweredMessage = Pick<Message, 'message_id' | 'from_agent'>

/**
 * `send --thread` and `reply`: a message by anyone in an unfinished thread. An answer goes to the writer of the message
 * it answers. A blocked worker is unblocked only by an answer to it: not by an answer to another agent, and not by the
 * worker's own message.
 */
export function append(
  { thread }: ThreadState,
  want: AppendWish,
  stamp: Stamp,
  verb: 'append' | 'reply',
): SpokenEvent {
  const { leased, answerWith } = KINDS[thread.kind]
  if (!leased)
    throw refuse.invalid_state`thread ${thread.thread_id} is ${{ kind: thread.kind }}; answer it with ${answerWith(thread.thread_id)}`
  mustMove(thread, want.kind === 'answer' ? 'answer' : 'note', `${verb} to`)
  const { from, answers } = want
  const asker = answers === null || answers.from_agent === from ? undefined : answers.from_agent
  const to = want.to ?? asker ?? otherParty(thread, from)
  const words = { ...want.words, in_reply_to: answers?.message_id }
  const isAnswer = thread.status === 'blocked' && want.kind === 'answer'
  const keeps = isAnswer && asker !== thread.assigned_to ? { keeps_blocked: true } : {}
  return spokenEvent(thread, say(thread, { ...want, to, words }, stamp), {
    type: verb === 'reply' ? 'thread_reply' : 'thread_append',
    ...keeps,
  })
}

export type ClaimWish = {
  agent: string
  lease_token: string
  lease_seconds: number
  /** The other members that received a role's work and no longer need to look at it. */
  instead_of?: string[]
  handed: string[]
}

export function claim({ thread, lease }: ThreadState, want: ClaimWish, stamp: Stamp): SpokenEvent {
  mustMove(thread, 'claim', 'claim')
  mustBeFree(thread, lease, stamp.now, want.agent)
  const words = wordsOf('thread claimed', { lease_seconds: want.lease_seconds })
  const said: MessageParts = { from: want.agent, to: thread.created_by, kind: 'event', words }
  return spokenEvent(thread, say(thread, said, stamp), {
    type: 'thread_claim',
    lease_token: want.lease_token,
    lease_seconds: want.lease_seconds,
    ...(want.instead_of?.length ? { instead_of: want.instead_of } : {}),
    ...(want.handed.length > 0 ? { handed: want.handed } : {}),
  })
}

export type RenewWish = { holder: Holder; lease_seconds: number; silent: boolean }

/** `silent` is the keep-alive of a wait: it extends the lease without a message in the thread. */
export function renew({ thread, lease }: ThreadState, want: RenewWish, stamp: Stamp): ThreadEvent {
  mustBeWorkedOn(thread, 'renew')
  mustHold(thread, lease, want.holder, stamp.now, 'renew')
  const from = want.holder.agent
  const facts: Facts = { type: 'thread_renew', lease_seconds: want.lease_seconds }
  if (want.silent) return silentEvent(thread, from, stamp.now, facts)
  const words = wordsOf('lease renewed', { lease_seconds: want.lease_seconds })
  const said: MessageParts = { from, to: thread.created_by, kind: 'event', words }
  return spokenEvent(thread, say(thread, said, stamp), facts)
}

export type UpdateWish = { holder: Holder; status: 'in_progress' | 'blocked'; words: Words }

export function update(
  { thread, lease }: ThreadState,
  want: UpdateWish,
  stamp: Stamp,
): SpokenEvent {
  mustBeWorkedOn(thread, 'update')
  const { lease_seconds } = mustHold(thread, lease, want.holder, stamp.now, 'update')
  const from = want.holder.agent
  const kind = want.status === 'blocked' ? 'question' : 'progress'
  const said: MessageParts = { from, to: thread.created_by, kind, words: want.words }
  // An agent that reports is still working, so its lease is extended.
  const facts: Facts = { type: 'thread_update', status: want.status, lease_seconds }
  return spokenEvent(thread, say(thread, said, stamp), facts)
}

export type FinishWish = { holder: Holder; as: 'done' | 'fail'; words: Words }

export function finish(
  { thread, lease }: ThreadState,
  want: FinishWish,
  stamp: Stamp,
): SpokenEvent {
  mustBeWorkedOn(thread, want.as === 'done' ? 'finish' : 'fail')
  mustHold(thread, lease, want.holder, stamp.now, want.as === 'done' ? 'finish' : 'fail')
  const from = want.holder.agent
  const said: MessageParts = { from, to: thread.created_by, kind: 'result', words: want.words }
  const type = want.as === 'done' ? 'thread_done' : 'thread_fail'
  return spokenEvent(thread, say(thread, said, stamp), { type })
}

/** A `done` or `fail` retried with the token that finished the thread counts as the same act, not a second one. */
export function isSameFinish(state: ThreadState, as: 'done' | 'fail', token: string | undefined) {
  const { thread, lease } = state
  return (
    token !== undefined &&
    thread.status === (as === 'done' ? 'done' : 'failed') &&
    lease?.lease_token === token
  )
}

export type CancelWish = { agent: string; words: Words }

export function cancel({ thread }: ThreadState, want: CancelWish, stamp: Stamp): SpokenEvent {
  mustMove(thread, 'cancel', 'cancel')
  const said: MessageParts = {
    from: want.agent,
    // The message goes to the worker no matter who cancels, because the worker must stop.
    to: want.agent === thread.assigned_to ? thread.created_by : thread.assigned_to,
    kind: 'control',
    words: want.words,
  }
  return spokenEvent(thread, say(thread, said, stamp), { type: 'thread_cancel' })
}

/**
 * The sweep's decision. Null if there is nothing left to sweep because another writer was faster. Work that was sent
 * to a role goes back to the role.
 */
export function lapse(
  { thread, lease }: ThreadState,
  now: Instant,
  sentTo = '',
): ThreadEvent | null {
  if (!isWorkedOn(thread) || !hasLapsed(lease, now)) return null
  const facts: Facts = {
    type: 'thread_lapse',
    ...(isRole(sentTo) ? { assigned_to: sentTo } : {}),
  }
  return silentEvent(thread, SYSTEM, now, facts, `lease of ${lease.agent_id} lapsed`)
}

export function markRead(
  { thread }: ThreadState,
  want: { agent: string; message_id: string; seq: number },
  now: Instant,
): ThreadEvent {
  const { agent, message_id, seq } = want
  return silentEvent(thread, agent, now, { type: 'thread_read', message_id, seq })
}

/**
 * A message that isn't an answer goes to the other party: from the creator to the worker, from anyone else to the
 * creator.
 */
function otherParty(thread: Thread, from: string): string {
  return from === thread.created_by ? thread.assigned_to : thread.created_by
}

type MessageParts = { from: string; to: string; kind: MessageKind; words: Words }

export function say(
  thread: { thread_id: string; message_count: number },
  said: MessageParts,
  stamp: Stamp,
): Message {
  return {
    message_id: stamp.messageId,
    thread_id: thread.thread_id,
    seq: thread.message_count + 1,
    from_agent: said.from,
    to_agent: said.to,
    kind: said.kind,
    summary: said.words.summary,
    body: said.words.body,
    payload_json: said.words.payload_json ?? '{}',
    created_at: stamp.now,
    in_reply_to: said.words.in_reply_to ?? null,
    issue_id: said.words.issue_id ?? null,
    agent_id: said.words.agent_id ?? null,
    hops: said.words.hops ?? 0,
    imported_by: null,
    artifacts: (said.words.artifacts ?? []).map((artifact, i) => ({
      artifact_id: stamp.artifactIds[i] as string,
      message_id: stamp.messageId,
      ...artifact,
      created_at: stamp.now,
    })),
  }
}

type EventThread = Pick<Thread, 'thread_id' | 'run_id' | 'task_id'>

export function newThread(thread_id: string, run_id = '', task_id = '') {
  return { thread_id, run_id, task_id, message_count: 0 }
}

export function spokenEvent(
  { thread_id, run_id, task_id }: EventThread,
  message: Message,
  facts: Facts,
): SpokenEvent {
  const { from_agent: agent, created_at: at, summary } = message
  return { thread_id, run_id, task_id, agent, at, summary, message, facts }
}

export function silentEvent(
  { thread_id, run_id, task_id }: EventThread,
  agent: string,
  at: Instant,
  facts: Facts,
  summary = '',
): ThreadEvent {
  return { thread_id, run_id, task_id, agent, at, summary, message: null, facts }
}

function wordsOf(summary: string, payload: Record<string, unknown>): Words {
  return { summary, body: '', payload_json: JSON.stringify(payload) }
}
