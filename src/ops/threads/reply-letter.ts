// Replies in threads that aren't work. A reply to mail or a push is a letter to the author of the message it answers. A
// reply to a request is a comment, which a person may mistake for a decision.

import { field, refuse } from '../../core/error.ts'
import { isObject, type Json } from '../../core/json.ts'
import { postIn } from '../../core/mail/mail.ts'
import { mayDecide } from '../../core/requests/request.ts'
import { REQUESTS } from '../../core/requests/request-record.ts'
import { readStored } from '../../core/shallow.ts'
import type { Reads, Tx } from '../../core/store.ts'
import type { Message, Words } from '../../core/threads/message.ts'
import type { Thread } from '../../core/threads/thread.ts'
import { type KindWord, typeOf } from '../../core/vocabulary.ts'
import { listNotWoken } from '../inbox/not-woken.ts'
import { viewMessage } from '../inbox/view.ts'
import { sees, viewerNamed } from '../inbox/visible-thread.ts'
import { commit, stamp, unknownThread } from '../kit/commit.ts'
import type { Context } from '../kit/operation.ts'
import { addressLetter } from './letter.ts'
import { findPlace, type ReplyPlace, unknownMessage } from './say-in-thread.ts'

type LetterReply = {
  thread: string
  from: string
  to?: string | undefined
  kind?: KindWord | undefined
  in_reply_to?: string | undefined
}

/** Stopping an agent isn't listed: it has a separate message type, and does more than a reply. */
const KINDS: readonly KindWord[] = ['answer', 'question', 'progress', 'status']

/**
 * Any refusal of a reply could reveal that a hidden thread exists. So a caller that may not see the thread gets the
 * same refusal as for an unknown id, no matter what else is wrong with the reply.
 */
export async function mustSeePlace(
  { store, caller }: Context,
  { thread, from }: LetterReply,
): Promise<void> {
  const place = await findPlace(store, { thread })
  const state = await store.thread(place.thread)
  const viewer = caller.principal ?? viewerNamed(from)
  if (state !== null && (await sees(store, viewer, state.thread))) return
  throw place.answered === undefined ? unknownThread(thread) : unknownMessage(thread)
}

export async function replyByLetter(context: Context, input: LetterReply, words: Words) {
  const { from, kind = 'answer' } = input
  if (!KINDS.includes(kind))
    throw refuse.invalid_input`${field('kind')} ${kind} is for work; a message is answered with ${KINDS.join(', ')}`
  if ((words.artifacts ?? []).length > 0)
    throw refuse.invalid_input`${field('artifacts')} belong to work; name the file in the text`
  return commit(context, { op: 'reply', agent: from, input }, async (tx) => {
    const place = await findPlace(tx, input)
    const message = await answeredIn(tx, place, from)
    const own = message.from_agent === from ? message.to_agent : undefined
    const letter = {
      from,
      type: typeOf(kind),
      subject: words.summary,
      body: words.body,
      metadata: words.payload_json,
      in_reply_to: message.message_id,
    }
    const to = input.to ?? own
    const sent = await addressLetter(context, tx, to === undefined ? letter : { ...letter, to })
    const { state, now, posting, addressee } = sent
    if (state === null) throw unknownThread(place.thread)
    const event = postIn(state, posting, stamp(context, now))
    const sleeping = await listNotWoken(tx, event, now, addressee)
    const { thread } = tx.record(state, event)
    return { thread, message: viewMessage(event.message), ...sleeping }
  })
}

/** The named message, or else the last one, or the first if the writer sent the last. */
async function answeredIn(
  tx: Tx,
  { thread, answered }: ReplyPlace,
  from: string,
): Promise<Message> {
  const latest = answered ?? (await tx.thread(thread))?.thread.latest_message_id
  const message = latest === undefined ? null : await tx.message(latest)
  if (message === null || message.thread_id !== thread) throw unknownThread(thread)
  if (answered !== undefined || message.from_agent !== from) return message
  return (await tx.asking(thread)) ?? message
}

/**
 * The answer to a person's reply to a request, with a warning if one is needed. A person who could have decided may
 * mistake a comment for the decision while the agent keeps waiting, so the warning says that the request is still
 * undecided, and how to decide it.
 */
export async function warnIfPending<R extends { thread: Thread }>(
  reads: Reads,
  said: R,
  from: string,
): Promise<R> {
  const warning = await warnOfPending(reads, said.thread.thread_id, from)
  return warning === undefined ? said : { ...said, warning }
}

/** Undefined if the writer can't decide the request, or there is nothing left to decide. */
async function warnOfPending(reads: Reads, id: string, from: string): Promise<string | undefined> {
  const request = await reads.rowOf(REQUESTS, id)
  if (request?.status !== 'pending') return undefined
  if (!mayDecide(request, { kind: 'person', name: from })) return undefined
  const kept = 'this was kept as a comment and decides nothing'
  if (request.request_type !== 'question') {
    return `${kept}; 'inbox approve', 'inbox reject' and 'inbox request-revision' decide request ${id}`
  }
  const shown = await reads.message(request.revision_message)
  const revision = shown === null ? {} : (readStored(shown.payload_json) as Json)
  const asked = isObject(revision) ? revision.payload : undefined
  const hasForm = asked !== undefined && isObject(asked) && asked.schema !== undefined
  const how = hasForm ? "--values '{…}'" : '--answer "…"'
  return `${kept}; answer with: inbox approve ${id} --revision ${request.revision} ${how}`
}
