import { expect, test } from 'bun:test'
import { plainCall } from './plain-call.ts'
import { loadTools } from './tools.ts'

const TOOLS = await loadTools()

const ACCEPT = { accept: 'application/json, text/event-stream' }
const HEADERS = {
  ...ACCEPT,
  'mcp-protocol-version': '2025-11-25',
}
const PARAMS = { name: 'read_messages', arguments: { timeoutSeconds: 1 } }
const MESSAGE = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: PARAMS }

const ENVELOPE = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientCapabilities': {},
}
const NEWER_HEADERS = {
  'mcp-protocol-version': '2026-07-28',
  'mcp-method': 'tools/call',
  'mcp-name': 'read_messages',
}
const newer = (meta: object) => ({ ...MESSAGE, params: { ...PARAMS, _meta: meta } })

const isPlain = (message: unknown, headers: Record<string, string> = HEADERS) =>
  plainCall(new Headers(headers), message, TOOLS) !== null

test('accepts an older-era call of any version, with or without optional parts', () => {
  expect(isPlain(MESSAGE)).toBe(true)
  expect(isPlain({ ...MESSAGE, id: 'a' })).toBe(true)
  expect(isPlain({ ...MESSAGE, params: { name: 'read_messages' } })).toBe(true)
  expect(isPlain({ ...MESSAGE, params: { ...PARAMS, _meta: { progressToken: 1 } } })).toBe(true)
  expect(isPlain(MESSAGE, { ...HEADERS, 'mcp-protocol-version': '2025-03-26' })).toBe(true)
  expect(isPlain(MESSAGE, ACCEPT)).toBe(true)
})

test('accepts a newer-era call, whatever its metadata and Accept header', () => {
  const client = { 'io.modelcontextprotocol/clientInfo': { name: 'claude-code', version: '2' } }
  for (const meta of [ENVELOPE, { ...ENVELOPE, ...client, progressToken: 1, 'a/b': {} }]) {
    const found = plainCall(new Headers(NEWER_HEADERS), newer(meta), TOOLS)
    expect(found).toMatchObject({ era: 'newer', id: 1, args: PARAMS.arguments, meta })
  }
})

test('leaves a faulty newer-era call to the package', () => {
  for (const [name, value] of [
    ['mcp-protocol-version', ''],
    ['mcp-protocol-version', '2025-11-25'],
    ['mcp-protocol-version', '2027-01-01'],
    ['mcp-method', ''],
    ['mcp-method', 'tools/list'],
    ['mcp-name', ''],
    ['mcp-name', 'mark_read'],
  ] as const) {
    expect(isPlain(newer(ENVELOPE), { ...NEWER_HEADERS, ...ACCEPT, [name]: value })).toBe(false)
  }
  for (const meta of [
    {},
    { 'io.modelcontextprotocol/protocolVersion': '2026-07-28' },
    { ...ENVELOPE, 'io.modelcontextprotocol/protocolVersion': '2027-01-01' },
    { ...ENVELOPE, 'io.modelcontextprotocol/protocolVersion': 7 },
    { ...ENVELOPE, 'io.modelcontextprotocol/clientCapabilities': 'all' },
    { ...ENVELOPE, 'io.modelcontextprotocol/logLevel': 'debug' },
  ]) {
    expect(isPlain(newer(meta), NEWER_HEADERS)).toBe(false)
  }
  const retried = { ...PARAMS, _meta: ENVELOPE, inputResponses: {} }
  expect(isPlain({ ...MESSAGE, params: retried }, NEWER_HEADERS)).toBe(false)
})

test('leaves unusual, faulty and newer messages to the package', () => {
  for (const message of [
    undefined,
    null,
    [MESSAGE],
    { ...MESSAGE, jsonrpc: '1.0' },
    { ...MESSAGE, id: null },
    { ...MESSAGE, id: 1.5 },
    { ...MESSAGE, method: 'tools/list' },
    { ...MESSAGE, result: {} },
    { ...MESSAGE, params: undefined },
    { ...MESSAGE, params: { ...PARAMS, name: 'nothing_of_ours' } },
    { ...MESSAGE, params: { ...PARAMS, arguments: [] } },
    { ...MESSAGE, params: { ...PARAMS, task: { ttl: 1 } } },
    { ...MESSAGE, params: { ...PARAMS, _meta: ENVELOPE } },
    { ...MESSAGE, params: { ...PARAMS, _meta: 'text' } },
  ]) {
    expect(isPlain(message)).toBe(false)
  }
  expect(isPlain(MESSAGE, { ...HEADERS, 'mcp-protocol-version': '2026-07-28' })).toBe(false)
  expect(isPlain(MESSAGE, { ...HEADERS, accept: 'application/json' })).toBe(false)
})
