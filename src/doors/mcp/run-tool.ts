// Runs one tool call: turns its arguments into the operation's fields, and the outcome into an answer.

import { asJson, type DoorWords, quote, type Refusal, refusalIn, refuse } from '../../core/error.ts'
import type { Principal } from '../../core/principal.ts'
import { type CallOutcome, call, type DoorHouse, type Enter } from '../../ops/call.ts'
import type { Context, Operation } from '../../ops/kit/operation.ts'
import type { Arg } from '../../ops/kit/tool.ts'
import { operationNamed } from '../../ops/known-caller.ts'
import { answer, refusal, type ToolAnswer } from './answer.ts'
import type { Tool } from './tools.ts'

/** The caller, the store, and a way to report bugs. */
export type Visit = {
  /** Opens the store on the first tool call. Listing tools doesn't require one. */
  enter: (op: Operation, input: object) => DoorHouse | Promise<DoorHouse>
  /** Opens the store to peek at the inbox. Returns null, and creates nothing, if there is no store. */
  lookIn: () => DoorHouse | null | Promise<DoorHouse | null>
  principal: Principal
  report: (error: unknown) => void
}

/** If `called` is missing, the call was refused and leaves no further work. */
export type ToolOutcome = { answer: ToolAnswer; called?: CallOutcome }

export async function runTool(
  { enter, principal, report }: Visit,
  tool: Tool,
  args: Record<string, unknown>,
  {
    signal,
    originFor,
    offered,
  }: {
    signal: AbortSignal
    originFor: (house: DoorHouse) => Context['origin']
    /** The caller's tools. Refusals mention no others. */
    offered: readonly Tool[]
  },
): Promise<ToolOutcome> {
  const enterFromHere: Enter = async (op, input) => {
    const house = await enter(op, input)
    const origin = originFor(house)
    return origin === undefined ? house : { ...house, origin }
  }
  try {
    const raw = rawInput(tool, args, principal.name)
    const op = await operationNamed(tool.op)
    const called = await call(enterFromHere, { op, principal, raw, door: 'mcp', signal })
    return { answer: answer(tool, op, called.result), called }
  } catch (error) {
    const refused = refusalIn(error)
    if (refused !== undefined) {
      const { workspace_id: own = '' } = principal
      const hide = (text: string) => (own === '' ? text : text.replaceAll(own, 'you are in'))
      return { answer: refusal(refused, tool, hide(refused.inWords(makeMcpWords(tool, offered)))) }
    }
    report(error)
    const masked = refuse.internal`something went wrong inside; the log of the server has it`
    return { answer: refusal(masked, tool) }
  }
}

export function rawInput(
  tool: Tool,
  args: Record<string, unknown>,
  me: string,
): Record<string, unknown> {
  const raw: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(args)) {
    // The key isn't listed, to keep the list short, but programs that retry can pass it.
    if (name === 'idempotency_key') raw[name] = value
    else if (!Object.hasOwn(tool.args, name)) throw unknownArgument(tool, name)
  }
  for (const [name, arg] of Object.entries(tool.args)) {
    const said = args[name]
    const value = isLeftOut(said) ? otherwise(arg, args) : fieldValue(arg, said, me)
    if (value !== undefined) raw[arg.field ?? name] = value
  }
  return raw
}

/** Models send null for arguments they leave out. */
function isLeftOut(value: unknown): boolean {
  return value === undefined || value === null
}

function otherwise(arg: Arg, args: Record<string, unknown>): unknown {
  const { otherwise: value, otherwiseBeside: beside } = arg
  return beside !== undefined && isLeftOut(args[beside]) ? undefined : value
}

function fieldValue(arg: Arg, value: unknown, me: string): unknown {
  if (arg.orNumber && typeof value === 'number') return String(value)
  if (arg.opposite && typeof value === 'boolean') return !value
  if (arg.isMe && typeof value === 'boolean') return value ? me : undefined
  if (arg.paths && Array.isArray(value)) {
    return value.map((one) => (typeof one === 'string' ? { path: one } : one))
  }
  if (arg.between !== undefined && typeof value === 'number') {
    const [least, most] = arg.between
    return Math.min(most, Math.max(least, value))
  }
  return value
}

function unknownArgument(tool: Tool, name: string): Refusal {
  const known = Object.keys(tool.args).join(', ')
  return refuse.invalid_input`${tool.name} takes no ${quote(name)}; it takes ${known}`
}

/**
 * How this door names things: fields are arguments, and operations are tools. An operation without a tool here is
 * named as a shell command.
 */
export function makeMcpWords(tool: Tool, offered: readonly Tool[]): DoorWords {
  const field = (name: string) => argumentOf(tool, name) ?? (name === 'db' ? '--db' : name)
  const operation: DoorWords['operation'] = (name, input) => {
    const other = offered.find(({ op }) => op === name)
    const args = Object.entries(input).map(([key, value]) => [
      other && argumentOf(other, key),
      value,
    ])
    // A tool that only acts for its caller has no agent argument.
    if (other === undefined || args.some(([arg]) => arg === undefined)) return `'inbox ${name}'`
    return `${other.name} ${asJson(Object.fromEntries(args))}`.trimEnd()
  }
  return { field, caller: field, operation }
}

function argumentOf({ args }: Tool, name: string): string | undefined {
  const [key, ...within] = name.split('.')
  const found = Object.entries(args).find(([arg, { field = arg }]) => field === key)
  return found && [found[0], ...within].join('.')
}
