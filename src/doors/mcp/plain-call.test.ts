import { expect, test } from 'bun:test'
import { plainCall } from './plain-call.ts'
import { TOOLS } from './tools.ts'

const HEADERS = {
  accept: 'application/json, text/event-stream',
  'mcp-protocol-version': '2025-11-25',
}
const PARAMS = { name: 'read_messages', arguments: { waitSeconds: 1 } }
const MESSAGE = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: PARAMS }

const isPlain = (message: unknown, headers: Record<string, string> = HEADERS) =>
  plainCall(new Headers(headers), message, TOOLS) !== null

test('a call of the older era is plain, whatever its version and with or without what may be left out', () => {
  expect(isPlain(MESSAGE)).toBe(true)
  expect(isPlain({ ...MESSAGE, id: 'a' })).toBe(true)
  expect(isPlain({ ...MESSAGE, params: { name: 'read_messages' } })).toBe(true)
  expect(isPlain({ ...MESSAGE, params: { ...PARAMS, _meta: { progressToken: 1 } } })).toBe(true)
  expect(isPlain(MESSAGE, { ...HEADERS, 'mcp-protocol-version': '2025-03-26' })).toBe(true)
  expect(isPlain(MESSAGE, { accept: HEADERS.accept })).toBe(true)
})

test('what is odd, wrong or newer is left to the package', () => {
  const claim = { 'io.modelcontextprotocol/protocolVersion': '2026-07-28' }
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
    { ...MESSAGE, params: { ...PARAMS, _meta: claim } },
    { ...MESSAGE, params: { ...PARAMS, _meta: 'text' } },
  ]) {
    expect(isPlain(message)).toBe(false)
  }
  expect(isPlain(MESSAGE, { ...HEADERS, 'mcp-protocol-version': '2026-07-28' })).toBe(false)
  expect(isPlain(MESSAGE, { ...HEADERS, accept: 'application/json' })).toBe(false)
})
