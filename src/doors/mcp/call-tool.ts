// One tool call by a visitor: enters the gate, waits for the work left by the visitor's last call, and passes on the
// work it leaves itself.

import { Refusal, refuse } from '../../core/error.ts'
import type { ToolSet } from '../../core/principal.ts'
import type { CallOutcome, House } from '../../ops/call.ts'
import { refusal, type ToolAnswer } from './answer.ts'
import { originOf } from './call-origin.ts'
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
  if (misplaced !== undefined) return refusal(refuse.forbidden`${misplaced}`, tool)
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

/** The calls one visitor has open, and a way to end one early. Waits are cheap but not free, so each takes a place. */
export type Gate = {
  /** Throws if too many calls are open. The call ends when one of the signals aborts. */
  enter: (request: string | number, signals: readonly AbortSignal[]) => GateEntry
  /** Ends the wait of a call; its answer still goes out. An unknown id was just answered. */
  end: (request: string | number) => void
}

export type GateEntry = { signal: AbortSignal; leave: () => void }

export function makeGate(takePlace: () => () => void): Gate {
  const inside = new Set<{ request: string | number; end: () => void }>()
  return {
    enter(request, signals) {
      const giveBack = takePlace()
      const { signal, end, letGo } = followSignals(signals)
      const call = { request, end }
      inside.add(call)
      return {
        signal,
        leave() {
          inside.delete(call)
          letGo()
          giveBack()
        },
      }
    },
    end(request) {
      for (const call of inside) if (call.request === request) call.end()
    },
  }
}

/** Unlike AbortSignal.any, releases signals that live longer than the call. */
function followSignals(signals: readonly AbortSignal[]) {
  const controller = new AbortController()
  const end = () => controller.abort()
  for (const signal of signals) {
    if (signal.aborted) end()
    signal.addEventListener('abort', end)
  }
  const letGo = () => {
    for (const signal of signals) signal.removeEventListener('abort', end)
  }
  return { signal: controller.signal, end, letGo }
}
