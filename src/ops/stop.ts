// The word to stop. An agent that is told to stop hears it with the answer to its next call, whatever it asked for,
// and again with every one until it has read it.

import { CODES, quote, Refusal } from '../core/error.ts'
import type { InboxItem } from '../core/inbox/inbox-reads.ts'
import { type DoorWords, sentence } from '../core/sentence.ts'
import type { Context } from './kit/operation.ts'

export type Stop = { id: string; from: string; subject: string; thread_id: string }

/** Any answer may carry these beside its own fields. */
export type AnswerNotes = { stop?: Stop; warning?: string }

export async function addStop(
  context: Context,
  agent: string,
  result: object,
): Promise<AnswerNotes> {
  const item = await stopFor(context, agent)
  if (item === null) return result
  if (item.state === 'queued') {
    context.later(async () => {
      // Loaded here: a call that need not stop must not pay for it.
      const { present } = await import('./inbox/inbox.ts')
      await present(context, agent, [item], context.door)
    })
  }
  return { ...result, stop: viewStop(item) }
}

/** A refusal says it too, but is no proof that it was heard: doors shorten what they show of one. */
export async function addStopToRefusal(
  context: Context,
  agent: string,
  refusal: Refusal,
): Promise<Refusal> {
  const { code, details } = refusal
  if (CODES[code].http === 503) return refusal
  const item = await stopFor(context, agent)
  if (item === null) return refusal
  const said = (words: DoorWords) => refusal.inWords(words)
  const both = sentence`${said}; and STOP: ${item.from_agent} says ${quote(item.summary)}`
  return new Refusal(code, both, { ...details, stop: viewStop(item) })
}

function stopFor({ store }: Context, agent: string): Promise<InboxItem | null> {
  // The call is done by now, and its answer must go out even where this cannot be read.
  return store.stopFor(agent).catch(() => null)
}

function viewStop({ message_id, from_agent, summary, thread_id }: InboxItem): Stop {
  return { id: message_id, from: from_agent, subject: summary, thread_id }
}
