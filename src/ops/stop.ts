// The word to stop. Whoever is told to stop hears it with the answer to its next call, whatever it
// asked for, and again with every one until it has read it.

import { CODES, quote, Refusal } from '../core/error.ts'
import type { InboxItem } from '../core/inbox/inbox-reads.ts'
import { sentence, type Words } from '../core/sentence.ts'
import type { Fields } from './kit/field.ts'
import type { Context, Operation } from './kit/operation.ts'

export type Stop = { id: string; from: string; subject: string; thread_id: string }

/** What every answer may carry beside its own. */
export type Told = { stop?: Stop; warning?: string }

/** Runs an operation for a door. */
export async function perform(op: Operation, context: Context, input: object): Promise<object> {
  const agent = callerOf(op.fields, input) ?? context.caller.agent
  if (agent === undefined) return op.run(context, input)
  let result: object
  try {
    result = await op.run(context, input)
  } catch (error) {
    throw error instanceof Refusal ? await withStop(context, agent, error) : error
  }
  if (context.isNotStopped) return result
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
async function withStop(context: Context, agent: string, refusal: Refusal): Promise<Refusal> {
  const { code, details } = refusal
  if (CODES[code].http === 503) return refusal
  const item = await stopFor(context, agent)
  if (item === null) return refusal
  const said = (words: Words) => refusal.inWords(words)
  const both = sentence`${said}; and STOP: ${item.from_agent} says ${quote(item.summary)}`
  return new Refusal(code, both, { ...details, stop: viewStop(item) })
}

/** An agent named by its position is whom the call is about, not who calls. */
function callerOf(fields: Fields, input: object): string | undefined {
  const own = Object.entries(input).find(([key]) => {
    const field = fields[key]
    return field?.kind === 'self' && !field.positional
  })
  return own?.[1] as string | undefined
}

function stopFor({ store }: Context, agent: string): Promise<InboxItem | null> {
  // What was asked is done, and its answer must go out even where this cannot be read.
  return store.stopFor(agent).catch(() => null)
}

function viewStop({ message_id, from_agent, summary, thread_id }: InboxItem): Stop {
  return { id: message_id, from: from_agent, subject: summary, thread_id }
}
