// Finds what a message on a work thread answers: the message its writer names or, for an answer, the open question.

import { operation, refuse } from '../../core/error.ts'
import { PREFIXES } from '../../core/id.ts'
import type { Tx } from '../../core/store.ts'
import type { AnsweredMessage } from '../../core/threads/commands.ts'
import type { Thread } from '../../core/threads/thread.ts'
import type { MessageKind } from '../../core/vocabulary.ts'

type AnswerQuery = { thread: string; from: string; kind: MessageKind; named?: string | undefined }

/** The caller runs this together with locking the thread, so that it reads under the lock. */
export async function findAnswered(
  tx: Tx,
  { thread, from, kind, named }: AnswerQuery,
): Promise<AnsweredMessage | null> {
  if (named === undefined) return kind === 'answer' ? tx.openQuestion(thread, from) : null
  const message = await tx.message(named)
  if (message?.thread_id === thread) return message
  throw refuse.not_found`thread ${thread} has no message ${named}; see ${operation('show', { thread })}`
}

export type ReplyPlace = { thread: string; answered: string | undefined }

/** The thread an id refers to, and the message in it, if the id is a message's. */
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

/** When work changes hands, its questions move along: answers go to the current assignee. */
export async function findHearer(
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
