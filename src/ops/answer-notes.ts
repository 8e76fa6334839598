// The stop note. An agent that gets mail of type cancel sees the stop in the answer to its next call, whatever that
// call is, and in every answer until it has read the mail. If only one of its threads was canceled, only answers about
// that thread have the note, because the agent's other work continues.

import { CODES, type DoorWords, quote, Refusal, sentence } from '../core/error.ts'
import type { StopItem } from '../core/inbox/inbox-reads.ts'
import { type AnswerValue, aRow, aText, fieldsOf, type Holds, maybe } from './kit/answer.ts'
import type { Context, Operation } from './kit/operation.ts'

export type Stop = {
  id: string
  from: string
  subject: string
  thread_id: string
  about: StopItem['about']
  until: string
}

/** Any answer may have these in addition to its own fields. */
export type AnswerNotes = { stop?: Stop; warning?: string }

/** The caller, and the thread the call was about. */
type ToldCaller = { agent: string; thread: string | undefined }

export async function addStop(
  context: Context,
  told: ToldCaller,
  result: object,
): Promise<AnswerNotes> {
  const item = await stopFor(context, told)
  if (item === null) return result
  if (item.state === 'queued') {
    context.later(async () => {
      // Loaded here so that calls without a stop don't pay for it.
      const { present } = await import('./inbox/inbox.ts')
      await present(context, told.agent, [item], context.door)
    })
  }
  return { ...result, stop: viewStop(item) }
}

/** A refusal contains the stop too, but doesn't mark it as seen, because doors shorten refusals. */
export async function addStopToRefusal(
  context: Context,
  told: ToldCaller,
  refusal: Refusal,
): Promise<Refusal> {
  const { code, details } = refusal
  if (CODES[code].http === 503) return refusal
  const item = await stopFor(context, told)
  if (item === null) return refusal
  const refusalText = (words: DoorWords) => refusal.inWords(words)
  const both = sentence`${refusalText}; and STOP: ${item.from_agent} says ${quote(item.summary)}`
  return new Refusal(code, both, { ...details, stop: viewStop(item) })
}

function stopFor({ store }: Context, { agent, thread }: ToldCaller): Promise<StopItem | null> {
  // The call has already been carried out, so it's answered even if this read fails.
  return store.stopFor(agent, thread).catch(() => null)
}

function viewStop({ message_id, from_agent, summary, thread_id, about }: StopItem): Stop {
  return {
    id: message_id,
    from: from_agent,
    subject: summary,
    thread_id,
    about,
    until: `${message_id} is marked as read: mail mark-read, or the tool mark_read`,
  }
}

export const ANSWER_NOTES = fieldsOf<AnswerNotes>({
  stop: maybe(
    aRow<Stop>(
      'stop',
      'the message telling you to stop; repeated with every answer until you read it',
      {
        id: aText('the message, to mark as read'),
        from: aText('who sent it'),
        subject: aText('its subject'),
        thread_id: aText('its thread'),
        about: aText('agent: stop all your work; thread: only this thread, which was cancelled'),
        until: aText('what ends the stop'),
      },
    ),
  ),
  warning: maybe(aText('a problem in addition to the answer')),
})

/** Lists the records in these operations' answers, each once, in order of first use. */
export function recordsOf(operations: readonly Operation[]): Map<string, Holds> {
  const found = new Map<string, Holds>()
  const visit = ({ of, record }: AnswerValue): void => {
    if (of !== undefined) visit(of)
    if (record === undefined || found.has(record.name)) return
    found.set(record.name, record.holds)
    for (const value of Object.values(record.holds)) visit(value)
  }
  for (const holds of [...operations.map(({ answer }) => answer), ANSWER_NOTES]) {
    for (const value of Object.values(holds as Holds)) visit(value)
  }
  return found
}
