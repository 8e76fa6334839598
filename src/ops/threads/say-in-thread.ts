import { isPerson, mustReachPeople } from '../../core/agents/agent.ts'
import { field, operation, refuse } from '../../core/error.ts'
import { PREFIXES } from '../../core/id.ts'
import { KINDS, type ThreadKind } from '../../core/kinds.ts'
import { postIn } from '../../core/mail/mail.ts'
import { isClaimed } from '../../core/principal.ts'
import type { LockedThread, Tx } from '../../core/store.ts'
import { type AnsweredMessage, type AppendWish, append } from '../../core/threads/commands.ts'
import type { Words } from '../../core/threads/message.ts'
import type { Thread } from '../../core/threads/thread.ts'
import { type MessageKind, workKindOf } from '../../core/vocabulary.ts'
import { introduceAll } from '../agents/introduce.ts'
import { listNotWoken } from '../inbox/not-woken.ts'
import { viewMessage } from '../inbox/view.ts'
import { sees, viewerNamed } from '../inbox/visible-thread.ts'
import { lockThread, stamp, unknownThread } from '../kit/commit.ts'
import type { Context } from '../kit/operation.ts'

type SayWish = {
  thread: string
  from: string
  /** If undefined, the recipient is the author of the answered message, or the other party. */
  to: string | undefined | Promise<string>
  kind: Parameters<typeof workKindOf>[0]
  words: Words
  /** The message being answered, if the writer names one. */
  answered?: string | undefined
  as: 'reply' | 'append'
}

export async function sayInThread(context: Context, tx: Tx, saying: SayWish) {
  const { from } = saying
  const kind = workKindOf(saying.kind)
  const [locked, words, answers, addressee] = await Promise.all([
    lockThread(tx, saying.thread),
    addHops(tx, from, saying.words),
    findAnswered(tx, { thread: saying.thread, from, kind, named: saying.answered }),
    saying.to,
  ])
  const { state, now } = locked
  if (saying.as === 'reply' && hearersIn(state.thread.kind) !== undefined) {
    return sayAsLetter(context, tx, locked, { from, to: addressee, kind, words, answers })
  }
  const to = addressee ?? (await findHearer(tx, state.thread, { from, answers }))
  const want = { from, to, kind, words, answers }
  const event = append(state, want, stamp(context, now, words), saying.as)
  const { to_agent } = event.message
  await mustMaySay(context, tx, { from, to: to_agent }, state.thread)
  const [sleeping] = await Promise.all([
    listNotWoken(tx, event, now),
    introduceAll(tx, [from, to_agent], { by: from, now }),
  ])
  const { thread } = tx.record(state, event)
  return { thread, message: viewMessage(event.message), ...sleeping }
}

function hearersIn(kind: ThreadKind) {
  return KINDS[kind].letters?.hearersIn
}

/** Sends a comment on a request: a reply in a thread that isn't work, whose kind determines who gets it. */
async function sayAsLetter(
  context: Context,
  tx: Tx,
  { state, now }: LockedThread,
  { from, to, kind, words, answers }: AppendWish,
) {
  const { thread_id, kind: of } = state.thread
  const viewer = context.caller.principal ?? viewerNamed(from)
  const heard = await hearersIn(of)?.(tx, thread_id, from)
  if (heard === undefined || !(await sees(tx, viewer, state.thread))) throw unknownThread(thread_id)
  const { about, ...hearing } = heard
  if (to !== undefined && to !== hearing.address)
    throw refuse.invalid_input`what ${from} says in thread ${thread_id} is for ${hearing.address}; leave ${field('to')} out`
  const said = { ...words, in_reply_to: answers?.message_id ?? about }
  const posting = { from, kind, words: said, expires_at: null, ...hearing }
  const event = postIn(state, posting, stamp(context, now, words))
  const [sleeping] = await Promise.all([
    listNotWoken(tx, event, now),
    introduceAll(tx, [from], { by: from, now }),
  ])
  const { thread } = tx.record(state, event)
  return { thread, message: viewMessage(event.message), ...sleeping }
}

/** Checks a message on a work thread; `thread` is null when the message begins one. */
export async function mustMaySay(
  { caller }: Pick<Context, 'caller'>,
  tx: Tx,
  { from, to }: { from: string; to: string },
  thread: Pick<Thread, 'thread_id' | 'created_by'> | null,
): Promise<void> {
  if (!isPerson(to) || isPerson(from) || thread?.created_by === to) return
  const [agent, hasWritten] = await Promise.all([
    tx.agent(from),
    thread !== null && tx.hasWritten(thread.thread_id, to),
  ])
  if (hasWritten) return
  mustReachPeople({ from, agent, isClaimed: isClaimed(caller.principal) }, to)
}

/** A message an agent writes during a turn is one hop further from a person's message than the mail that woke it. */
export async function addHops(tx: Tx, agent: string, words: Words): Promise<Words> {
  return withHops(words, (await tx.runningWake(agent))?.hops)
}

/** Sets the hops to one more than the turn's, which the caller has already read. */
export function withHops(words: Words, hops: number | null | undefined): Words {
  return hops == null ? words : { ...words, hops: hops + 1 }
}

type AnswerQuery = { thread: string; from: string; kind: MessageKind; named?: string | undefined }

/** The caller runs this together with locking the thread, so the read happens under the lock. */
async function findAnswered(
  tx: Tx,
  { thread, from, kind, named }: AnswerQuery,
): Promise<AnsweredMessage | null> {
  if (named === undefined) return kind === 'answer' ? tx.openQuestion(thread, from) : null
  const message = await tx.message(named)
  if (message?.thread_id === thread) return message
  throw refuse.not_found`thread ${thread} has no message ${named}; see ${operation('show', { thread })}`
}

export type ReplyPlace = { thread: string; answered: string | undefined }

/** The thread that an id refers to, and the message in it if the id is a message id. */
export async function findPlace(
  tx: Pick<Tx, 'message'>,
  { thread, in_reply_to: answered }: { thread: string; in_reply_to?: string | undefined },
): Promise<ReplyPlace> {
  if (!thread.startsWith(`${PREFIXES.message}_`)) return { thread, answered }
  const message = await tx.message(thread)
  if (message !== null) return { thread: message.thread_id, answered: answered ?? thread }
  throw unknownMessage(thread)
}

export function unknownMessage(messageId: string) {
  return refuse.not_found`there is no message ${messageId}; see ${operation('mail history')}`
}

/** When work changes hands, its questions go with it: answers go to the current assignee. */
async function findHearer(
  tx: Tx,
  { thread_id, created_by, assigned_to }: Thread,
  { from, answers }: { from: string; answers: AnsweredMessage | null },
): Promise<string | undefined> {
  const asker = answers?.from_agent
  if (asker === undefined || [created_by, assigned_to].includes(asker) || from === assigned_to) {
    return undefined
  }
  return (await tx.everHeld(thread_id, asker)) ? assigned_to : undefined
}
