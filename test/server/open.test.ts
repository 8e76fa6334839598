// What callers have open: no more than their share, and no longer than they may.

import { beforeAll, expect, test } from 'bun:test'
import { byPort, listen, op, type Running, servers } from './serving.ts'

const { start } = servers()
let server: Running
beforeAll(async () => {
  server = await start()
})

async function stream(as: string) {
  const leaving = new AbortController()
  const response = await fetch('http://inbox/api/events', {
    unix: server.socket,
    signal: leaving.signal,
    headers: { 'x-inbox-agent': as },
  })
  return { status: response.status, leave: () => leaving.abort() }
}

test('an agent has its share of the event streams, and others have theirs', async () => {
  const own = await Promise.all(Array.from({ length: 80 }, () => stream('greedy')))
  expect(own.filter(({ status }) => status === 200)).toHaveLength(64)
  expect(own.filter(({ status }) => status === 503)).toHaveLength(16)
  const other = await listen(server, '', { as: 'modest' })
  expect(other.response.status).toBe(200)
  other.leave()
  for (const { leave } of own) leave()
  // Places are given back.
  for (;;) {
    const { status, leave } = await stream('greedy')
    leave()
    if (status === 200) break
  }
}, 20_000)

test('an agent has its share of the waits', async () => {
  const leaving = new AbortController()
  const wait = async () => {
    const response = await fetch('http://inbox/api/ops/mail-read', {
      method: 'POST',
      unix: server.socket,
      signal: leaving.signal,
      headers: { 'content-type': 'application/json', 'x-inbox-agent': 'patient' },
      body: '{"timeout_seconds":50}',
    })
    return response.status
  }
  const refused = Promise.race(Array.from({ length: 140 }, wait))
  expect(await refused).toBe(503)
  leaving.abort()
}, 20_000)

const EVENT_STREAM = { accept: 'application/json, text/event-stream' }

async function revokedWhile(name: string, wait: (token: string) => Promise<unknown>) {
  const { body: issued } = await op(server, 'token-issue', { name })
  const token = String(issued.secret)
  await op(server, 'mail-read', {}, { as: name })
  const waiting = wait(token)
  // It has begun when the agent is known to wait.
  for (;;) {
    const { body } = await op(server, 'agent-status', { agent: name })
    if (JSON.stringify(body).includes('"waiting_until":"')) break
  }
  const { token_id } = issued.token as { token_id: string }
  expect((await op(server, 'token-revoke', { token: token_id })).status).toBe(200)
  await op(server, 'mail-send', { to: name, subject: 'Secret', body: 'Not for you' })
  return waiting
}

test('a wait by a token that is revoked ends at once, without what came after', async () => {
  const startedAt = performance.now()
  const answer = await revokedWhile('waiter', (token) =>
    byPort(server, '/api/ops/mail-read', { timeout_seconds: 50 }, { token }),
  )
  expect(answer).toMatchObject({ status: 401, body: { error: { code: 'unauthenticated' } } })
  expect(performance.now() - startedAt).toBeLessThan(15_000)
}, 30_000)

test('so does one over MCP', async () => {
  const params = { name: 'read_messages', arguments: { waitSeconds: 45 } }
  const answer = await revokedWhile('caller', async (token) => {
    const body = { jsonrpc: '2.0', id: 1, method: 'tools/call', params }
    const { text } = await byPort(server, '/mcp', body, { token, headers: EVENT_STREAM })
    return text
  })
  expect(answer).toContain('revoked')
  expect(answer).not.toContain('Secret')
}, 30_000)
