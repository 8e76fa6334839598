// One tool call by a visitor: enters the gate, waits for the work left by the visitor's last call, and passes on the
// work it leaves itself.

import { Refusal, refuse } from '../../core/error.ts'
import type { ToolSet } from '../../core/principal.ts'
import type { CallOutcome, House } from '../../ops/call.ts'
import { refusal, type ToolAnswer } from './answer.ts'
import { originOf } from './call-origin.ts'
import type { Gate, GateEntry } from './gate.ts'
import { runTool, type ToolOutcome, type Visit } from './run-tool.ts'
import { type Tool, toolsOf } from './tools.ts'

export type OpenVisit = Visit & {
  sets: readonly ToolSet[]
  /** Unlisted tools to list anyway. */
  tools?: readonly string[]
  /** More instructions for the model, about the address it uses. */
  hint?: string | undefined
  /** Why every call is refused here. */
  misplaced?: string | undefined
  /** The workflow instance at whose address the visitor is. */
  instance?: string | undefined
  gate: Gate
  /** The name of the visitor's program, if the call itself doesn't give it. */
  client?: { name: string } | undefined
  /** Ends a wait early; the answer still goes out. */
  ending?: AbortSignal
  /** Waits for the work left by the visitor's earlier calls, so that the next call finds it done. */
  settled: () => Promise<unknown> | undefined
  /** Takes the work to do once it's known whether the answer to this request is out. */
  owe: (request: string | number, called: CallOutcome) => void
}

export type ToolCall = {
  id: string | number
  args: Record<string, unknown>
  /** The program's own description of itself. */
  client?: unknown
  meta: Record<string, unknown> | undefined
  /** Aborts when the caller leaves or cancels. */
  signal: AbortSignal
}

export async function callTool(
  calling: OpenVisit,
  tool: Tool,
  given: ToolCall,
): Promise<ToolAnswer> {
  const { gate, ending, misplaced } = calling
  if (misplaced !== undefined) return refusal(refuse('forbidden', misplaced), tool)
  let entered: GateEntry | undefined
  try {
    entered = gate.enter(given.id, ending ? [given.signal, ending] : [given.signal])
    await calling.settled()
    const originFor = ({ origin }: House) =>
      originOf(origin, given.client ?? calling.client, given.meta)
    const offered = await toolsOf(calling.sets)
    const { signal } = entered
    const ran = await runTool(calling, tool, given.args, { signal, originFor, offered })
    await dropOrOwe(calling, given, ran)
    return ran.answer
  } catch (error) {
    if (error instanceof Refusal) return refusal(error, tool)
    throw error
  } finally {
    entered?.leave()
  }
}

/** A caller that cancelled gets no answer, so nothing was shown to it. */
async function dropOrOwe(
  { owe, report }: OpenVisit,
  { id, signal }: ToolCall,
  { called }: ToolOutcome,
): Promise<void> {
  if (called === undefined) return
  if (signal.aborted) await called.drop()?.catch(report)
  else owe(id, called)
}
