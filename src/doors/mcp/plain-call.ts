// Nearly everything that clients send over HTTP is a tool call: one message in, one answer out, in either protocol
// version. It doesn't need the package's streams and servers, which take more time than the call itself and account for
// most of a waiting call's memory.
//
// Only a request that is plain in every respect is handled here. Any request that's unusual, invalid or newer goes to
// the package, which knows how to handle it.

import {
  CLIENT_CAPABILITIES_META_KEY,
  CLIENT_INFO_META_KEY,
  classifyInboundRequest,
  PROTOCOL_VERSION_META_KEY,
  SERVER_INFO_META_KEY,
  SUPPORTED_PROTOCOL_VERSIONS,
} from '@modelcontextprotocol/server'
import type { ToolAnswer } from './answer.ts'
import type { Tool } from './tools.ts'

export type PlainCall = {
  id: string | number
  tool: Tool
  args: Record<string, unknown>
  meta: Record<string, unknown>
  era: 'older' | 'newer'
}

const MESSAGE = ['jsonrpc', 'id', 'method', 'params']
const PARAMS = ['name', 'arguments', '_meta']
/** The only version of the newer protocol that's handled here. */
const NEWER = '2026-07-28'
/** In the newer protocol, each request carries the envelope under the protocol's reserved keys. */
const RESERVED = 'io.modelcontextprotocol/'
const ENVELOPE = [PROTOCOL_VERSION_META_KEY, CLIENT_CAPABILITIES_META_KEY, CLIENT_INFO_META_KEY]

export function plainCall(
  headers: Headers,
  message: unknown,
  tools: readonly Tool[],
): PlainCall | null {
  if (!isObject(message) || message.method !== 'tools/call' || message.jsonrpc !== '2.0')
    return null
  const { id, params } = message
  if (typeof id !== 'string' && !Number.isSafeInteger(id)) return null
  if (!isObject(params) || !hasOnly(message, MESSAGE) || !hasOnly(params, PARAMS)) return null
  const { name, arguments: args = {}, _meta: meta = {} } = params
  const tool = tools.find((one) => one.name === name)
  if (tool === undefined || !isObject(args) || !isObject(meta)) return null
  const call = { id: id as string | number, tool, args, meta }
  if (isOfOlderEra(headers, meta)) return { ...call, era: 'older' }
  return isOfNewerEra(headers, message, call) ? { ...call, era: 'newer' } : null
}

/** In the newer protocol, an answer is marked as complete and includes the server's info. */
export function plainAnswer(
  { id, era }: PlainCall,
  answer: ToolAnswer,
  serverInfo: object,
): Response {
  const more = { resultType: 'complete', _meta: { [SERVER_INFO_META_KEY]: serverInfo } }
  const result = era === 'older' ? answer : { ...answer, ...more }
  return Response.json({ jsonrpc: '2.0', id, result })
}

function isOfOlderEra(headers: Headers, meta: object): boolean {
  const accept = headers.get('accept') ?? ''
  const version = headers.get('mcp-protocol-version')
  return (
    accept.includes('application/json') &&
    accept.includes('text/event-stream') &&
    (version === null || SUPPORTED_PROTOCOL_VERSIONS.includes(version)) &&
    reservedIn(meta).length === 0
  )
}

/** The headers repeat the body; the package checks whether they agree. */
function isOfNewerEra(
  headers: Headers,
  body: object,
  { tool, meta }: Pick<PlainCall, 'tool' | 'meta'>,
): boolean {
  const said = {
    protocolVersionHeader: headers.get('mcp-protocol-version') ?? '',
    mcpMethodHeader: headers.get('mcp-method') ?? '',
    mcpNameHeader: headers.get('mcp-name') ?? '',
  }
  return (
    said.protocolVersionHeader === NEWER &&
    said.mcpMethodHeader === 'tools/call' &&
    said.mcpNameHeader === tool.name &&
    reservedIn(meta).every((key) => ENVELOPE.includes(key)) &&
    classifyInboundRequest({ httpMethod: 'POST', ...said, body }).kind === 'modern'
  )
}

function reservedIn(meta: object): string[] {
  return Object.keys(meta).filter((key) => key.startsWith(RESERVED))
}

function hasOnly(value: object, keys: readonly string[]): boolean {
  return Object.keys(value).every((key) => keys.includes(key))
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
