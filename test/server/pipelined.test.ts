// Pipelined requests: the runtime closes the connection without responding, so none of them may take effect.

import { beforeAll, expect, test } from 'bun:test'
import { op, type Running, rawly, servers, statusIn } from './serving.ts'

const { start } = servers()
let server: Running
beforeAll(async () => {
  server = await start()
})

function post(path: string, body: string): string {
  const lines = [
    `POST ${path} HTTP/1.1`,
    `host: 127.0.0.1:${server.port}`,
    'x-inbox-agent: lead',
    'content-type: application/json',
    'accept: application/json, text/event-stream',
    `content-length: ${body.length}`,
  ]
  return `${lines.join('\r\n')}\r\n\r\n${body}`
}

const send = (subject: string, body = '') =>
  post('/api/ops/send', JSON.stringify({ to: 'worker', subject, body }))

const tool = (subject: string) => {
  const params = { name: 'thread_send', arguments: { to: 'worker', subject } }
  return post('/mcp', JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params }))
}

async function subjects(): Promise<unknown[]> {
  const { threads } = (await op(server, 'list')).body as { threads: { subject: string }[] }
  return threads.map(({ subject }) => subject)
}

test.each([
  ['two', () => send('First') + send('Second')],
  ['a hundred', () => Array.from({ length: 100 }, (_, i) => send(`Of many ${i}`)).join('')],
  ['two, the first of many pieces', () => send('Long', 'x'.repeat(300_000)) + send('Short')],
  ['two calls of a tool', () => tool('First') + tool('Second')],
  [
    'a call and a look',
    () => `${send('First')}GET /healthz HTTP/1.1\r\nhost: 127.0.0.1:${server.port}\r\n\r\n`,
  ],
])('%s: the connection closes before any of them takes effect', async (_, bytes) => {
  expect(await rawly(server, bytes(), { until: 'only the close ends it' })).toEqual({
    text: '',
    closed: true,
  })
  expect(await subjects()).toEqual([])
})

test('serves a request sent on its own', async () => {
  const { text } = await rawly(server, send('Alone'))
  expect(statusIn(text)).toBe(200)
  expect(await subjects()).toEqual(['Alone'])
})
