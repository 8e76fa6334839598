// One MCP server for one visit: a connection over stdio, or one request over HTTP. Each visit gets a new
// one, made from tables, which speaks the era that the visitor opened with.

import {
  CLIENT_INFO_META_KEY,
  ProtocolError,
  ProtocolErrorCode,
  Server,
} from '@modelcontextprotocol/server'
import type { ToolSet } from '../../core/principal.ts'
import { callTool, type OpenVisit } from './call-tool.ts'
import { instructionsFor } from './instructions.ts'
import { listTools } from './listing.ts'
import { requiredOf } from './policy.ts'
import { promptsOf, servePrompts } from './prompts.ts'
import { listedOf, toolsOf } from './tools.ts'
import { serveUnread } from './unread.ts'

export type ServedVisit = OpenVisit & {
  version: string
  /** Each request has a server of its own, so a cancel reaches another server than the call it is for. */
  isScattered?: boolean
  /** Each request has a server of its own, and this one does not open the visit: nobody reads instructions. */
  isUnderWay?: boolean
  /** Whether the visitor can be told of news, and how it subscribes (in the older era). */
  news: { canTell: boolean; subscribe?: (isWanted: boolean) => void }
}

/** Lists change only with the program. */
const FOR_LONG = { ttlMs: 3_600_000, cacheScope: 'private' as const }

/** No tool asks a client to fill in a form, and the package's own validator is large. */
const NO_FORMS = {
  getValidator: () => () => ({ valid: false as const, data: undefined, errorMessage: 'no forms' }),
}

/** The server's description of itself. Agents of workflows know theirs by another name. */
export function serverInfo(version: string, sets: readonly ToolSet[]) {
  return { name: sets.includes('workflow') ? 'workflow-context' : 'mailroom', version }
}

export async function makeServer(serving: ServedVisit): Promise<Server> {
  const { principal, sets, version, news, hint } = serving
  const required = serving.isUnderWay ? [] : await requiredOf(serving)
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
    // Two programs of one visitor may use the same ids, so a wait that is ended here is answered all the
    // same.
    server.setNotificationHandler('notifications/cancelled', ({ params }) => {
      if (params.requestId !== undefined) serving.gate.end(params.requestId)
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
