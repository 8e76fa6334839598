// Runs every operation for the shell, the library, HTTP and MCP. It checks that a known caller is allowed to make the
// call, checks the input, builds the context, runs the operation and adds any stop note to the answer.
//
// Work that follows the answer is left to the door, which calls `afterAnswer` once the answer has been delivered, or
// `drop` if it couldn't be.

import { isPerson } from '../core/agents/agent.ts'
import { Refusal } from '../core/error.ts'
import type { Principal } from '../core/principal.ts'
import { type AnswerNotes, addStop, addStopToRefusal } from './answer-notes.ts'
import { type Afterwards, makeAfterwards } from './kit/afterwards.ts'
import { threadIn } from './kit/commit.ts'
import type { Fields } from './kit/field.ts'
import { hasShortId } from './kit/id-fields.ts'
import { type BareContext, type Context, inputFor, type Operation } from './kit/operation.ts'
import type { AtShell } from './kit/shell.ts'

type OfCall = 'caller' | 'door' | 'signal' | 'later' | 'stopCheck'

/** A house, plus what the door knows about the caller: its files, its terminal and the origin of the call. */
export type DoorHouse = Omit<Context, OfCall | 'shell'>

/** What all calls in the shell share. Operations that don't need a store have none. */
export type ShellHouse = AtShell<DoorHouse> | AtShell<Omit<BareContext, OfCall>>

/** Opens the store once the input has been checked: invalid input must not create a store. */
export type Enter = (op: Operation, input: object) => Promise<DoorHouse | ShellHouse>

export type Want = {
  op: Operation
  raw: Record<string, unknown>
  door: Context['door']
  signal: AbortSignal
  /** The caller, if the transport identifies it, as it does at a server. */
  principal?: Principal
  /** The name the caller claims, if the transport doesn't identify it. */
  agent?: string | undefined
}

export type CallOutcome = { op: Operation; result: AnswerNotes } & Pick<
  Afterwards,
  'isLeft' | 'afterAnswer' | 'drop'
>

/** Only identified callers need this module, so commands and the library don't load it. */
let atServer: typeof import('./known-caller.ts') | undefined

export async function call(house: DoorHouse | Enter, want: Want): Promise<CallOutcome> {
  const { op, principal, door, signal } = want
  if (principal !== undefined) atServer ??= await import('./known-caller.ts')
  const known = principal === undefined ? undefined : atServer?.knownCaller(op, principal)
  const caller = known?.caller ?? { agent: want.agent }
  const input = inputFor(op, known?.authorised(want.raw) ?? want.raw, caller)
  const found = typeof house === 'function' ? await house(op, input) : house
  const entered = known?.guard(found) ?? found
  const { later, ...afterwards } = makeAfterwards()
  // The only place that makes a context. For a caller with a token, each transaction of its `store` checks that the
  // token is still valid.
  const context = { ...entered, caller, door, signal, later, stopCheck: {} }
  try {
    const work = () => perform(op, context, input)
    const result =
      'store' in context && known ? await known.run(context, input, work) : await work()
    return { op, result, ...afterwards }
  } catch (error) {
    // A refused call may have started a wait, which still has to be ended properly.
    await afterwards.drop()?.catch(() => {})
    throw error
  }
}

/** Makes a call whose answer counts as delivered as soon as there is one. */
export async function callDirectly(house: DoorHouse | Enter, want: Want): Promise<AnswerNotes> {
  const { result, afterAnswer } = await call(house, want)
  await afterAnswer()
  return result
}

async function perform(
  op: Operation,
  context: Context | AtShell<BareContext>,
  input: object,
): Promise<AnswerNotes> {
  if (!('store' in context)) return op.storeless?.run(context, input) ?? {}
  const agent = callerIn(op.fields, input) ?? context.caller.agent
  if (hasShortId(op.fields, input)) {
    const { resolveIds } = await import('./short-ids.ts')
    await resolveIds(context, op.fields, input as Record<string, unknown>, agent)
  }
  const told =
    agent === undefined || isPerson(agent) ? undefined : { agent, thread: threadIn(input) }
  try {
    const result = await op.run(context, input)
    const { notStopped, spokeFor } = context.stopCheck
    const hearer = told ?? (spokeFor && { agent: spokeFor, thread: threadIn(input) })
    return !hearer || notStopped === hearer.agent ? result : addStop(context, hearer, result)
  } catch (error) {
    if (told === undefined || !(error instanceof Refusal)) throw error
    throw await addStopToRefusal(context, told, error)
  }
}

/** An agent named by a positional argument is the subject of the call, not the caller. */
function callerIn(fields: Fields, input: object): string | undefined {
  const own = Object.entries(input).find(([key]) => {
    const field = fields[key]
    return field?.kind === 'self' && !field.positional
  })
  return own?.[1] as string | undefined
}
