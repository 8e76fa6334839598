// The tools of the workflow over MCP: at the instance server's socket, else at its port, else from a child process on
// standard input and output, which always works.

import { createMCPClient, type MCPClient } from '@ai-sdk/mcp'
import { Experimental_StdioMCPTransport } from '@ai-sdk/mcp/mcp-stdio'
import type { ToolSet } from 'ai'
import type { TurnTask } from '../backend.ts'
import { serverWords } from '../mcp-json.ts'
import { setsIn } from '../tools.ts'
import { withoutKeys } from './provider.ts'

export type ContextTools = { tools: ToolSet; close: () => Promise<void> }

const CONNECT_MS = 20_000

export async function contextTools(asked: TurnTask): Promise<ContextTools> {
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
  // Identity and secrets are in the variables. The tool server doesn't need the keys of models.
  const env = { ...withoutKeys(task.env, task.model), INBOX_AGENT: agent_id, ...mcp.env }
  const byStdio = () =>
    createMCPClient({
      transport: new Experimental_StdioMCPTransport({ ...serverWords(task), env, cwd }),
    })
  // The instance server only has the tools of the workflow.
  if (setsIn(task.tools).length > 0) return [byStdio]
  const { INBOX_TOKEN: token } = env as Record<string, string>
  const headers: Record<string, string> =
    token === undefined ? { 'x-agent-id': agent_id } : { authorization: `Bearer ${token}` }
  const byHttp = (url: string, through?: typeof fetch) => () => {
    const place = { type: 'http', url, headers, redirect: 'error' } as const
    return createMCPClient({ transport: through ? { ...place, fetch: through } : place })
  }
  const { url } = mcp
  // Another runtime's fetch wouldn't know the option and would connect to port 80.
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

export function wordsOf(error: unknown): string {
  const { message } = Object(error) as { message?: unknown }
  return typeof message === 'string' && message !== '' ? message : String(error)
}
