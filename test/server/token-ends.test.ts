// Streams and waits opened with a token end when it is revoked or expires by the store's clock.

import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { openMailroom } from '../../src/bin/compose.ts'
import { DAWN, freshStore, type TestStore } from '../worlds/store.ts'
import { until } from '../worlds/world.ts'
import { byPort, op, type Running, servers } from './serving.ts'

const { start } = servers()
let store: TestStore
let server: Running

const DAY = 86_400
const NEWER = '2026-07-28'
const ENVELOPE = {
  'io.modelcontextprotocol/protocolVersion': NEWER,
  'io.modelcontextprotocol/clientCapabilities': {},
}

/** The request that subscribes to news in the newer protocol version. */
const LISTEN = {
  body: {
    jsonrpc: '2.0',
    id: 1,
    method: 'subscriptions/listen',
    params: { notifications: { resourceSubscriptions: ['inbox://unread'] }, _meta: ENVELOPE },
  },
  headers: {
    'mcp-protocol-version': NEWER,
    'mcp-method': 'subscriptions/listen',
    accept: 'application/json, text/event-stream',
  },
}

/** Opens a stream. `ended` resolves to the remaining content and whether the stream broke off. */
async function opened(path: string, token: string, { body, headers = {} }: Posted = {}) {
  const response = await fetch(server.url + path, {
    method: body === undefined ? 'GET' : 'POST',
    headers: {
      authorization: `Bearer ${token}`,
      ...(body && { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body && { body: JSON.stringify(body) }),
  })
  expect(response.status).toBe(200)
  const reader = (response.body as ReadableStream<Uint8Array>).getReader()
  await reader.read()
  const ended = (async () => {
    let text = ''
    for (;;) {
      const { done, value } = await reader.read().catch(() => BROKEN)
      if (done) return { text, isBroken: value === BROKEN.value }
      text += new TextDecoder().decode(value)
    }
  })()
  return { ended }
}

const BROKEN = { done: true, value: new Uint8Array() } as const

type Posted = { body?: object; headers?: Record<string, string> }

async function issued(input: object): Promise<{ secret: string; id: string }> {
  const { body } = await op(server, 'token-issue', input)
  return { secret: String(body.token), id: (body.issued as { token_id: string }).token_id }
}

/** Opens each kind of stream and wait that a token can keep open, and returns how each ends. */
async function openAll(name: string) {
  const caller = `${name}-caller`
  const [own, calling, person] = await Promise.all([
    issued({ name, days: 1 }),
    issued({ name: caller, days: 1 }),
    issued({ name: 'user', days: 1 }),
  ])
  const streams = await Promise.all([
    opened('/api/events', own.secret),
    opened('/mcp', own.secret, LISTEN),
    opened('/api/ops/export', person.secret, { body: { follow: true } }),
  ])
  const params = { name: 'read_messages', arguments: { timeoutSeconds: 45 } }
  const rpc = { jsonrpc: '2.0', id: 1, method: 'tools/call', params }
  const { accept } = LISTEN.headers
  const waits = [
    byPort(server, '/api/ops/mail-read', { timeout_seconds: 50 }, { token: own.secret }),
    byPort(server, '/mcp', rpc, { token: calling.secret, headers: { accept } }),
  ] as const
  for (const agent of [name, caller]) {
    await until(async () => {
      const { text } = await op(server, 'agent-status', { agent })
      return text.includes('"waiting_until":"')
    }, `${agent} waits`)
  }
  return { tokens: [own, calling, person] as const, streams, waits }
}

async function allEnded({ streams, waits, tokens: [own] }: Awaited<ReturnType<typeof openAll>>) {
  const [plain, tool] = await Promise.all(waits)
  expect(plain).toMatchObject({ status: 401, body: { error: { code: 'unauthenticated' } } })
  expect(tool.text).toContain('"isError":true')
  expect(tool.text).toContain('unauthenticated')
  const ends = await Promise.all(streams.map(({ ended }) => ended))
  for (const { text } of ends) expect(text).not.toContain('Too late')
  // An incomplete export must not look complete.
  expect(ends.map(({ isBroken }) => isBroken)).toEqual([false, false, true])
  expect((await byPort(server, '/api/events', undefined, { token: own.secret })).status).toBe(401)
}

describe.each(['sqlite', 'postgres'] as const)('on %s what a token opened', (engine) => {
  beforeAll(async () => {
    store = await freshStore(engine)
    await (await openMailroom(store.address)).close()
    await store.clock.set(DAWN)
    server = await start({ db: [store.address] })
  })
  afterAll(async () => {
    await server.stop()
    await store.remove()
  })

  test('ends when the token expires, without an event in the log', async () => {
    const open = await openAll('lodger')
    await store.clock.advance(DAY - 1)
    // The token's agent still gets mail up to the last moment.
    await op(server, 'mail-send', { to: 'lodger', subject: 'In time', body: 'x' })
    expect((await open.waits[0]).status).toBe(200)
    await store.clock.advance(1)
    await Promise.all(open.streams.map(({ ended }) => ended))
  })

  test('ends waits too, on expiry and on revocation', async () => {
    const expiring = await openAll('guest')
    await store.clock.advance(DAY)
    await allEnded(expiring)
    const revoked = await openAll('visitor')
    for (const { id } of revoked.tokens) {
      expect((await op(server, 'token-revoke', { token: id })).status).toBe(200)
    }
    // Once the streams have ended, the server knows about the revocation. Until then it may still respond.
    await Promise.all(revoked.streams.map(({ ended }) => ended))
    await op(server, 'mail-send', { to: 'visitor', subject: 'Too late', body: 'x' })
    await allEnded(revoked)
  })
})
