// One call of a tool by a visitor: through the gate, after what its last call left to do, and with what is
// left to do after this one.

import type { ToolSet } from '../../core/principal.ts'
import type { Called, House } from '../../ops/call.ts'
import { type Answer, TOO_MANY } from './answer.ts'
import type { Gate } from './gate.ts'
import { originOf } from './origin.ts'
import { type Ran, runTool, type Visit } from './run-tool.ts'
import { type Tool, toolsOf } from './tools.ts'

export type Calling = Visit & {
  sets: readonly ToolSet[]
  gate: Gate
  /** What is known of the program, where the call itself does not say it. */
  client?: { name: string } | undefined
  /** Ends a wait early; its answer still goes out. */
  ending?: AbortSignal
  /** Until what was left of the visitor's earlier calls is done: its next one is to find it so. */
  settled: () => Promise<unknown> | undefined
  /** Takes what is left to do once it is known whether the answer to this request is out. */
  owe: (request: string | number, called: Called) => void
}

export type ToolCall = {
  id: string | number
  args: Record<string, unknown>
  /** What the program says of itself. */
  client?: unknown
  meta: Record<string, unknown> | undefined
  /** Its caller left, or cancelled. */
  signal: AbortSignal
}

export async function callTool(calling: Calling, tool: Tool, given: ToolCall): Promise<Answer> {
  const { gate, ending } = calling
  const entered = gate.enter(given.id, ending ? [given.signal, ending] : [given.signal])
  if (entered === undefined) return TOO_MANY
  try {
    await calling.settled()
    const originFor = ({ origin }: House) =>
      originOf(origin, given.client ?? calling.client, given.meta)
    const offered = await toolsOf(calling.sets)
    const { signal } = entered
    const ran = await runTool(calling, tool, given.args, { signal, originFor, offered })
    await dropOrOwe(calling, given, ran)
    return ran.answer
  } finally {
    entered.leave()
  }
}

/** A caller that cancelled gets no answer, so nothing was shown to it. */
async function dropOrOwe(
  { owe, report }: Calling,
  { id, signal }: ToolCall,
  { called }: Ran,
): Promise<void> {
  if (called === undefined) return
  if (signal.aborted) await called.drop()?.catch(report)
  else owe(id, called)
}
