// The call of a tool in the older era, which is nearly all that is asked over HTTP: one message in, one
// answer out. It needs nothing of the package's machinery of streams and servers, which costs more time
// than the call itself and, while the call waits, most of its memory.
//
// Only what is plain in every respect counts. Whatever is odd, wrong or newer goes to the package, which
// has its own words for it.

import { SUPPORTED_PROTOCOL_VERSIONS } from '@modelcontextprotocol/server'
import type { Tool } from './tool.ts'

export type PlainCall = {
  id: string | number
  tool: Tool
  args: Record<string, unknown>
  meta: Record<string, unknown> | undefined
}

const MESSAGE = ['jsonrpc', 'id', 'method', 'params']
const PARAMS = ['name', 'arguments', '_meta']
/** What the newer era says in each request. */
const CLAIM = 'io.modelcontextprotocol/'

export function plainCall(
  headers: Headers,
  message: unknown,
  tools: readonly Tool[],
): PlainCall | null {
  if (!isRecord(message) || message.method !== 'tools/call' || message.jsonrpc !== '2.0')
    return null
  const { id, params } = message
  if (typeof id !== 'string' && !Number.isSafeInteger(id)) return null
  if (!isRecord(params) || !hasOnly(message, MESSAGE) || !hasOnly(params, PARAMS)) return null
  const { name, arguments: args = {}, _meta: meta } = params
  if (!isRecord(args) || !isPlainMeta(meta) || !areOfOlderEra(headers)) return null
  const tool = tools.find((one) => one.name === name)
  return tool === undefined ? null : { id: id as string | number, tool, args, meta }
}

function areOfOlderEra(headers: Headers): boolean {
  const accept = headers.get('accept') ?? ''
  const version = headers.get('mcp-protocol-version')
  return (
    accept.includes('application/json') &&
    accept.includes('text/event-stream') &&
    (version === null || SUPPORTED_PROTOCOL_VERSIONS.includes(version))
  )
}

function isPlainMeta(meta: unknown): meta is Record<string, unknown> | undefined {
  if (meta === undefined) return true
  return isRecord(meta) && !Object.keys(meta).some((key) => key.startsWith(CLAIM))
}

function hasOnly(value: object, keys: readonly string[]): boolean {
  return Object.keys(value).every((key) => keys.includes(key))
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
