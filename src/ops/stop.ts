// The word to stop. Whoever is told to stop hears it with the answer to its next call, whatever it
// asked for, and again with every one until it has read it.

import type { Fields } from './field.ts'
import type { Context, Operation } from './operation.ts'

export type Stop = { id: string; from: string; subject: string; threadId: string }

/** What every answer may carry beside its own. */
export type Told = { cancel?: Stop }

/** Runs an operation for a door. */
export async function perform(op: Operation, context: Context, input: object): Promise<object> {
  const result = await op.run(context, input)
  const agent = callerOf(op.fields, input) ?? context.caller.agent
  if (agent === undefined || context.isNotStopped) return result
  const stop = await stopFor(context, agent)
  return stop === null ? result : { ...result, cancel: stop }
}

function callerOf(fields: Fields, input: object): string | undefined {
  const own = Object.entries(input).find(([key]) => fields[key]?.kind === 'self')
  return own?.[1] as string | undefined
}

async function stopFor(context: Context, agent: string): Promise<Stop | null> {
  // What was asked is done, and its answer must go out even where this cannot be read.
  const item = await context.store.stopFor(agent).catch(() => null)
  if (item === null) return null
  if (item.state === 'queued') {
    context.later(async () => {
      // Loaded here: a call that need not stop must not pay for it.
      const { present } = await import('./inbox.ts')
      await present(context, agent, [item], context.door)
    })
  }
  const { message_id: id, from_agent: from, summary: subject, thread_id: threadId } = item
  return { id, from, subject, threadId }
}
