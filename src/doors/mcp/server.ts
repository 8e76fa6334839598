// One MCP server for one visit: a connection over stdio, or one request over HTTP. It speaks the era the visitor
// opened with.

import {
  CLIENT_INFO_META_KEY,
  ProtocolError,
  ProtocolErrorCode,
  Server,
} from '@modelcontextprotocol/server'
import { refusalIn } from '../../core/error.ts'
import type { ToolSet } from '../../core/principal.ts'
import { call } from '../../ops/call.ts'
import { operationNamed } from '../../ops/known-caller.ts'
import type { RequestTypes } from '../../ops/requests/request-types.ts'
import { callTool, type OpenVisit } from './call-tool.ts'
import { instructionsFor } from './instructions.ts'
import { listedOf, listTools, toolsOf } from './tools.ts'
import { serveUnread } from './unread.ts'

export type ServedVisit = OpenVisit & {
  version: string
  /** Each request has its own server, so a cancel reaches a different server than the call it is for. */
  isScattered?: boolean
  /** Each request has its own server, and this one doesn't open the visit: its instructions aren't read. */
  isUnderWay?: boolean
  /** Whether the visitor can be notified of news, and how it subscribes (in the older era). */
  news: { canTell: boolean; subscribe?: (isWanted: boolean) => void }
}

/** Lists only change with the program. */
const FOR_LONG = { ttlMs: 3_600_000, cacheScope: 'private' as const }

/** No tool asks a client to fill in a form, and the package's validator is large. */
const NO_FORMS = {
  getValidator: () => () => ({ valid: false as const, data: undefined, errorMessage: 'no forms' }),
}

/** Agents of workflows know their server by another name. */
export function serverInfo(version: string, sets: readonly ToolSet[]) {
  return { name: sets.includes('workflow') ? 'workflow-context' : 'mailroom', version }
}

export async function makeServer(serving: ServedVisit): Promise<Server> {
  const { principal, sets, version, news, hint } = serving
  const required = serving.isUnderWay ? [] : await readPolicy(serving)
  const hasMail = sets.includes('mailbox') || sets.includes('workflow')
  const prompts = promptsOf(sets)
  const server = new Server(serverInfo(version, sets), {
    capabilities: {
      tools: {},
      ...(prompts.length > 0 && { prompts: {} }),
      ...(hasMail && { resources: { subscribe: news.canTell } }),
    },
    instructions: instructionsFor(principal.name, sets, { hint, required }),
    cacheHints: { 'tools/list': FOR_LONG, 'prompts/list': FOR_LONG, 'resources/list': FOR_LONG },
    jsonSchemaValidator: NO_FORMS,
  })
  serveTools(server, serving)
  if (serving.isScattered) {
    // Two programs of one visitor may use the same ids, so a wait that ends here still gets its answer.
    server.setNotificationHandler('notifications/cancelled', ({ params }) => {
      if (params.requestId !== undefined) serving.calls.interrupt(params.requestId)
    })
  }
  if (prompts.length > 0) servePrompts(server, prompts)
  if (hasMail) serveUnread(server, serving, news.subscribe)
  return server
}

function serveTools(server: Server, serving: ServedVisit): void {
  server.setRequestHandler('tools/list', async () => ({
    tools: await listTools(listedOf(await toolsOf(serving.sets), serving.tools)),
  }))
  server.setRequestHandler('tools/call', async ({ params }, { mcpReq }) => {
    const tool = (await toolsOf(serving.sets)).find(({ name }) => name === params.name)
    if (tool === undefined) {
      throw new ProtocolError(ProtocolErrorCode.InvalidParams, `there is no tool ${params.name}`)
    }
    const { id, signal, _meta: meta } = mcpReq
    const envelope: Record<string, unknown> = { ...mcpReq.envelope }
    const client = envelope[CLIENT_INFO_META_KEY] ?? server.getClientVersion()
    return callTool(serving, tool, { id, args: params.arguments ?? {}, client, meta, signal })
  })
}

/**
 * What the agent needs approval for, for its instructions. If the store can't be read, connect anyway: the first call
 * will report the problem.
 */
async function readPolicy({
  lookIn,
  principal,
  sets,
  misplaced,
  report,
}: OpenVisit): Promise<readonly string[]> {
  if (!sets.includes('requests') || principal.kind !== 'agent' || misplaced !== undefined) return []
  try {
    const house = await lookIn()
    if (house === null) return []
    const op = await operationNamed('request types')
    const signal = new AbortController().signal
    const { result } = await call(house, { op, principal, raw: {}, door: 'mcp', signal })
    return (result as RequestTypes).required
  } catch (error) {
    if (refusalIn(error) === undefined) report(error)
    return []
  }
}

type Prompt = { name: string; set: ToolSet; description: string; says: string }

/** A person can pick these in an agent's program without knowing the names of tools. */
const PROMPTS: readonly Prompt[] = [
  {
    name: 'check_mail',
    set: 'mailbox',
    description: 'Read the mail, deal with it, and say what was done.',
    says: 'Read your mail with read_messages. Deal with each message, answer where an answer is wanted, and mark_read what you have dealt with. Then tell me in a few lines what came and what you did.',
  },
  {
    name: 'take_work',
    set: 'threads',
    description: 'Claim the next piece of work and do it.',
    says: 'Claim the next piece of work with thread_claim. If there is none, say so. Else do it, renew the lease while you work, ask with thread_update (blocked) where something is missing, and end with thread_done or thread_fail. Then tell me what came of it.',
  },
]

function promptsOf(sets: readonly ToolSet[]): Prompt[] {
  return PROMPTS.filter(({ set }) => sets.includes(set))
}

function servePrompts(server: Server, prompts: readonly Prompt[]): void {
  server.setRequestHandler('prompts/list', () => ({
    prompts: prompts.map(({ name, description }) => ({ name, description })),
  }))
  server.setRequestHandler('prompts/get', ({ params }) => {
    const prompt = prompts.find(({ name }) => name === params.name)
    if (prompt === undefined) {
      throw new ProtocolError(ProtocolErrorCode.InvalidParams, `there is no prompt ${params.name}`)
    }
    const { description, says: text } = prompt
    return { description, messages: [{ role: 'user', content: { type: 'text', text } }] }
  })
}
