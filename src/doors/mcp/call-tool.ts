// Runs one tool call: counts it as one of the visitor's open calls, waits for work left over from the visitor's last
// call, and passes on any work that this call leaves.

import { CLIENTS } from '../../core/clients/client.ts'
import { Refusal, refuse } from '../../core/error.ts'
import type { ToolSet } from '../../core/principal.ts'
import type { CallOutcome, DoorHouse } from '../../ops/call.ts'
import type { Context } from '../../ops/kit/operation.ts'
import { refusal, type ToolAnswer } from './answer.ts'
import { runTool, type ToolOutcome, type Visit } from './run-tool.ts'
import { type Tool, toolsOf } from './tools.ts'

export type OpenVisit = Visit & {
  sets: readonly ToolSet[]
  tools?: readonly string[]
  /** More instructions for the model, about the address it uses. */
  hint?: string | undefined
  misplaced?: string | undefined
  /** The workflow instance whose address the visitor is using. */
  instance?: string | undefined
  calls: VisitorCalls
  /** The name of the visitor's program, if the call itself doesn't give it. */
  client?: { name: string } | undefined
  /** Ends a wait early. The answer is still sent. */
  ending?: AbortSignal
  /** Waits for the work left by the visitor's earlier calls, so that the next call finds it done. */
  settled: () => Promise<unknown> | undefined
  /** Takes the work to do once it's known whether the answer to this request was delivered. */
  owe: (request: string | number, called: CallOutcome) => void
}

export type ToolCall = {
  id: string | number
  args: Record<string, unknown>
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
  const { calls, ending, misplaced } = calling
  if (misplaced !== undefined) return refusal(refuse.forbidden`${misplaced}`, tool)
  let begun: VisitorCall | undefined
  try {
    begun = calls.begin(given.id, ending ? [given.signal, ending] : [given.signal])
    await calling.settled()
    const originFor = ({ origin }: DoorHouse) =>
      originOf(origin, given.client ?? calling.client, given.meta)
    const offered = await toolsOf(calling.sets)
    const { signal } = begun
    const ran = await runTool(calling, tool, given.args, { signal, originFor, offered })
    await dropOrOwe(calling, given, ran)
    return ran.answer
  } catch (error) {
    if (error instanceof Refusal) return refusal(error, tool)
    throw error
  } finally {
    begun?.end()
  }
}

/** A caller that canceled gets no answer, so nothing was shown to it. */
async function dropOrOwe(
  { owe, report }: OpenVisit,
  { id, signal }: ToolCall,
  { called }: ToolOutcome,
): Promise<void> {
  if (called === undefined) return
  if (signal.aborted) await called.drop()?.catch(report)
  else owe(id, called)
}

/** Tracks a visitor's open calls, and can end one early. Waits are cheap but not free, so each one is counted. */
export type VisitorCalls = {
  /** Throws if too many calls are open. The call is interrupted when one of the signals aborts. */
  begin: (request: string | number, signals: readonly AbortSignal[]) => VisitorCall
  /** Ends a call's wait. The answer is still sent. */
  interrupt: (request: string | number) => void
  /** Whether a cancel arrived whose call is still missing. */
  isExpecting: () => boolean
}

type VisitorCall = { signal: AbortSignal; end: () => void }

/** Over HTTP a cancel can overtake its call. An unknown id belongs to such a call, or to one that was just answered. */
const OVERTAKEN_MS = 2000
const MOST_OVERTAKEN = 100

export function trackVisitorCalls(
  takePlace: () => () => void,
  onForgotten: () => void = () => {},
): VisitorCalls {
  const open = new Set<{ request: string | number; interrupt: () => void }>()
  const overtaken = new Set<string | number>()
  const expect = (request: string | number) => {
    if (overtaken.size >= MOST_OVERTAKEN || overtaken.has(request)) return
    overtaken.add(request)
    const forget = () => {
      overtaken.delete(request)
      onForgotten()
    }
    setTimeout(forget, OVERTAKEN_MS).unref()
  }
  return {
    begin(request, signals) {
      const giveBack = takePlace()
      const { signal, interrupt, letGo } = followSignals(signals)
      const call = { request, interrupt }
      open.add(call)
      if (overtaken.delete(request)) interrupt()
      return {
        signal,
        end() {
          open.delete(call)
          letGo()
          giveBack()
        },
      }
    },
    interrupt(request) {
      const called = [...open].filter((call) => call.request === request)
      for (const call of called) call.interrupt()
      if (called.length === 0) expect(request)
    },
    isExpecting: () => overtaken.size > 0,
  }
}

/** Unlike AbortSignal.any, releases signals that live longer than the call. */
function followSignals(signals: readonly AbortSignal[]) {
  const controller = new AbortController()
  const interrupt = () => controller.abort()
  for (const signal of signals) {
    if (signal.aborted) interrupt()
    signal.addEventListener('abort', interrupt)
  }
  const letGo = () => {
    for (const signal of signals) signal.removeEventListener('abort', interrupt)
  }
  return { signal: controller.signal, interrupt, letGo }
}

// The program and session of a call, so that a person who sees a push can return to that session. Both are reported by
// the program itself and prove nothing.
type CallOrigin = NonNullable<Context['origin']>

/** Codex sends this with each call. */
const CODEX_TURN = 'x-codex-turn-metadata'

function originOf(
  known: CallOrigin | undefined,
  client: unknown,
  meta: Record<string, unknown> = {},
): CallOrigin {
  const named =
    backendNamed((client as { name?: unknown } | undefined)?.name) ??
    (CODEX_TURN in meta ? 'codex' : undefined)
  const backend = known?.backend ?? named
  const session = known?.session ?? (backend === 'codex' ? text(meta.threadId) : undefined)
  return {
    ...known,
    ...(backend === undefined ? {} : { backend }),
    ...(session === undefined ? {} : { session }),
  }
}

/**
 * In the older protocol, a program gives its name only when it connects, and then sends the session id it was given.
 * The server keeps no state between requests, so the id contains the name.
 */
export function sessionIdFor(message: unknown): string | undefined {
  const { method, params } = (message ?? {}) as { method?: unknown; params?: object }
  if (method !== 'initialize') return undefined
  const { clientInfo } = (params ?? {}) as { clientInfo?: { name?: unknown } }
  const backend = backendNamed(clientInfo?.name)
  return backend === undefined ? undefined : `${backend}-${crypto.randomUUID()}`
}

/** The program's name, read back from the session id. */
export function clientIn(headers: Headers): { name: string } | undefined {
  const name = headers.get('mcp-session-id')
  return name === null ? undefined : { name }
}

/** The first word of `claude-code`, `codex-mcp-client` or `gemini-cli-mcp-client` is the program's name. */
function backendNamed(name: unknown): string | undefined {
  const first = text(name)
    ?.toLowerCase()
    .split(/[^a-z]/)[0]
  return CLIENTS.find((client) => client === first)
}

function text(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined
}
