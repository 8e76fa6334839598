// Runs one turn of an agent that is a model with tools. Loaded only for a turn, because it loads the model packages.

import { createAnthropic } from '@ai-sdk/anthropic'
import { createMCPClient, type MCPClient } from '@ai-sdk/mcp'
import { Experimental_StdioMCPTransport } from '@ai-sdk/mcp/mcp-stdio'
import { createOpenAICompatible } from '@ai-sdk/openai-compatible'
import {
  APICallError,
  createGateway,
  type LanguageModel,
  type ModelMessage,
  stepCountIs,
  streamText,
  type ToolSet,
} from 'ai'
import type { TurnResult, TurnTask } from '../backend.ts'
import { serverWords } from '../mcp-json.ts'
import { setsIn } from '../tools.ts'
import { keepConversation, openConversation } from './conversation.ts'
import { ownTools } from './own-tools.ts'
import { type ModelPlace, placeOf, withoutKeys } from './provider.ts'

/** A model that needs more steps is going in circles. */
const MOST_STEPS = 50
const MOST_TOLD = 2000

export async function runTurn(task: TurnTask): Promise<TurnResult> {
  const place = placeOf(task.model, task.env)
  if (typeof place === 'string') return failed(task, place)
  // Keep the package's warnings off the console.
  globalThis.AI_SDK_LOG_WARNINGS = false
  let context: Awaited<ReturnType<typeof contextTools>> | undefined
  try {
    context = await contextTools(task)
    return await converse(task, modelAt(place), { ...context.tools, ...ownTools(task.tools, task) })
  } catch (error) {
    return failed(task, task.signal.aborted ? 'the turn was ended' : reasonOf(error))
  } finally {
    await context?.close()
  }
}

async function converse(
  task: TurnTask,
  model: LanguageModel,
  tools: NonNullable<Parameters<typeof streamText>[0]['tools']>,
): Promise<TurnResult> {
  const { folder, system, prompt, signal } = task
  const conversation = openConversation(folder, task.session)
  const asked: ModelMessage[] = [...conversation.messages, { role: 'user', content: prompt }]
  let fault: unknown
  const stream = streamText({
    model,
    instructions: system,
    messages: asked,
    tools,
    stopWhen: stepCountIs(MOST_STEPS),
    abortSignal: signal,
    // Errors also arrive as parts of the stream. By default, the package would print them as well.
    onError: () => {},
  })
  let steps = 0
  let words = ''
  let last = ''
  for await (const part of stream.fullStream) {
    if (part.type === 'text-delta') words += part.text
    if (part.type === 'tool-call') tellTool(task, part)
    if (part.type === 'tool-error') {
      task.tell({ kind: 'error', text: cut(`${part.toolName}: ${wordsOf(part.error)}`) })
    }
    if (part.type === 'error') fault ??= part.error
    if (part.type === 'abort') fault ??= new Error('the turn was ended')
    if (part.type !== 'finish-step') continue
    steps += 1
    if (words.trim() !== '') {
      last = words.trim()
      task.tell({ kind: 'text', text: last })
    }
    words = ''
  }
  if (fault !== undefined || signal.aborted) throw fault ?? new Error('the turn was ended')
  const reason = await stream.finishReason
  const messages = [...asked, ...(await stream.responseMessages)]
  if (reason === 'error' || reason === 'content-filter') {
    return { ok: false, exit: 1, session: task.session, last, why: `the model stopped: ${reason}` }
  }
  keepConversation(folder, { ...conversation, messages })
  const isCut = steps >= MOST_STEPS && reason === 'tool-calls'
  const why = isCut ? { why: `the turn ended after ${MOST_STEPS} steps` } : {}
  return { ok: true, exit: 0, session: conversation.session, last, ...why }
}

function modelAt(place: ModelPlace): LanguageModel {
  const { key: apiKey, model } = place
  if (place.way === 'gateway') {
    const { baseURL } = place
    return createGateway({ apiKey, ...(baseURL && { baseURL }) })(model)
  }
  const { baseURL, provider: name } = place
  if (place.way === 'anthropic') return createAnthropic({ baseURL, apiKey })(model)
  return createOpenAICompatible({ name, baseURL, ...(apiKey !== '' && { apiKey }) })(model)
}

function tellTool({ tell }: TurnTask, { toolName, input }: { toolName: string; input: unknown }) {
  tell({ kind: 'tool', text: cut(`${toolName} ${JSON.stringify(input ?? {})}`) })
}

function cut(text: string): string {
  return text.length > MOST_TOLD ? `${text.slice(0, MOST_TOLD)}…` : text
}

function failed({ session, tell }: TurnTask, why: string): TurnResult {
  tell({ kind: 'error', text: why })
  return { ok: false, exit: 1, session, last: '', why }
}

/** The package wraps errors that it retried. The server's own message is the most useful part. */
function reasonOf(error: unknown): string {
  const { lastError } = Object(error) as { lastError?: unknown }
  const inner = lastError ?? error
  if (!APICallError.isInstance(inner)) return cut(wordsOf(inner))
  const { statusCode, message } = inner
  const hint = statusCode === 401 || statusCode === 403 ? '; check the key of the provider' : ''
  return cut(`the model's server refused (${statusCode ?? 'no answer'}): ${message}${hint}`)
}

// Connects to the workflow's tools over MCP. Tries the instance server's socket, then its port, then a child process on
// standard input and output, which always works.
type ContextTools = { tools: ToolSet; close: () => Promise<void> }

const CONNECT_MS = 20_000

async function contextTools(asked: TurnTask): Promise<ContextTools> {
  let last: unknown
  for (const open of waysIn(asked)) {
    let client: MCPClient | undefined
    try {
      client = await within(open(), CONNECT_MS)
      const tools = await client.tools()
      const { close } = client
      return { tools: tools as ToolSet, close: () => close().catch(() => {}) }
    } catch (error) {
      await client?.close().catch(() => {})
      last = error
      if (asked.signal.aborted) break
      asked.tell({ kind: 'error', text: `the tools cannot be reached: ${wordsOf(error)}` })
    }
  }
  throw last
}

function waysIn(task: TurnTask): (() => Promise<MCPClient>)[] {
  const { agent_id, mcp, cwd } = task
  // The environment contains the identity and secrets, but no model keys, because the tool server doesn't need them.
  const env = { ...withoutKeys(task.env, task.model), INBOX_AGENT: agent_id, ...mcp.env }
  const byStdio = () =>
    createMCPClient({
      transport: new Experimental_StdioMCPTransport({ ...serverWords(task), env, cwd }),
    })
  // The instance server only offers the workflow's tools.
  if (setsIn(task.tools).length > 0) return [byStdio]
  const { INBOX_TOKEN: token } = env as Record<string, string>
  const headers: Record<string, string> =
    token === undefined ? { 'x-agent-id': agent_id } : { authorization: `Bearer ${token}` }
  const byHttp = (url: string, through?: typeof fetch) => () => {
    const place = { type: 'http', url, headers, redirect: 'error' } as const
    return createMCPClient({ transport: through ? { ...place, fetch: through } : place })
  }
  const { url } = mcp
  // Another runtime's fetch would ignore the `unix` option and connect to port 80.
  const socket = 'Bun' in globalThis ? mcp.socket : undefined
  return [
    ...(socket === undefined ? [] : [byHttp('http://localhost/mcp', throughSocket(socket))]),
    ...(url === undefined ? [] : [byHttp(url)]),
    ...(mcp.command === '' ? [] : [byStdio]),
  ]
}

/** Bun's fetch accepts the path of a socket. */
function throughSocket(unix: string): typeof fetch {
  const ask = (given: string | URL | Request, init?: object) => fetch(given, { ...init, unix })
  return ask as typeof fetch
}

async function within<T>(work: Promise<T>, ms: number): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`no answer within ${ms / 1000} seconds`)), ms)
  })
  return Promise.race([work, late]).finally(() => clearTimeout(timer))
}

function wordsOf(error: unknown): string {
  const { message } = Object(error) as { message?: unknown }
  return typeof message === 'string' && message !== '' ? message : String(error)
}
