// Speaks the protocol by hand, to make requests that no client sends.

import type { Serving } from './serving.ts'

export const MODERN = '2026-07-28'

/** The envelope of a request in the newer protocol version. */
const ENVELOPE = {
  'io.modelcontextprotocol/protocolVersion': MODERN,
  'io.modelcontextprotocol/clientCapabilities': {},
  'io.modelcontextprotocol/clientInfo': { name: 'by-hand', version: '1' },
}

export type Rpc = {
  id?: unknown
  result?: Record<string, unknown> & { content: { text: string }[]; isError?: boolean }
  error?: { code: number; message: string; data?: unknown }
}

export type Posted = { status: number; rpc: Rpc[]; text: string; headers: Headers }

export async function post(
  server: Serving,
  body: unknown,
  { headers = {}, path = '/mcp?agent=hand', method = 'POST' }: Posting = {},
): Promise<Posted> {
  const given: Record<string, string> = {
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
    ...headers,
  }
  const text = typeof body === 'string' ? body : JSON.stringify(body)
  const response = await fetch(`${server.url}${path}`, {
    method,
    headers: given,
    ...(method === 'POST' && { body: text }),
  })
  const answer = await response.text()
  return { status: response.status, rpc: parse(answer), text: answer, headers: response.headers }
}

type Posting = { headers?: Record<string, string>; path?: string; method?: string }

/** Parses one JSON document, or the messages of a stream. */
function parse(text: string): Rpc[] {
  if (text === '') return []
  if (text.startsWith('{') || text.startsWith('[')) {
    const value = JSON.parse(text) as Rpc | Rpc[]
    return Array.isArray(value) ? value : [value]
  }
  const lines = text.split('\n').filter((line) => line.startsWith('data: '))
  return lines.map((line) => JSON.parse(line.slice('data: '.length)) as Rpc)
}

export function call(id: number, name: string, args: object = {}) {
  return { jsonrpc: '2.0', id, method: 'tools/call', params: { name, arguments: args } }
}

/** A call in the newer protocol version, with its headers. */
export function modern(id: number, name: string, args: object = {}) {
  const params = { name, arguments: args, _meta: ENVELOPE }
  return {
    body: { jsonrpc: '2.0', id, method: 'tools/call', params },
    headers: {
      'mcp-protocol-version': MODERN,
      'mcp-method': 'tools/call',
      'mcp-name': name,
    } as Record<string, string>,
  }
}
