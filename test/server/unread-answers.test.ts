// A caller that asks for a lot at once and reads none of it gets a limited amount. The server keeps room for others,
// and serves the caller again once it reads.

import { beforeAll, expect, test } from 'bun:test'
import { readFileSync, writeFileSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { until } from '../worlds/world.ts'
import { op, type Running, servers, statusIn } from './serving.ts'

const { start } = servers()
let server: Running
let thread = ''

const MANY = 200
/**
 * Room for the responses one agent can leave unread, those being sent, and the copies made along the way. All the
 * responses would take 200 MB, and their copies as much again.
 */
const ROOM_MEGABYTES = 160

beforeAll(async () => {
  server = await start()
  // One message fills a response.
  const body = 'x'.repeat(990_000)
  const lead = { as: 'lead' }
  const made = await op(server, 'send', { from: 'lead', to: 'greedy', summary: 'Go' }, lead)
  thread = (made.body.thread as { thread_id: string }).thread_id
  for (let i = 0; i < 5; i++) {
    const said = { from: 'lead', to: 'greedy', thread, kind: 'control', summary: 'On', body }
    expect((await op(server, 'send', said, lead)).status).toBe(200)
    const mail = { from: 'lead', to: 'greedy', subject: 'On', body }
    expect((await op(server, 'mail-send', mail, lead)).status).toBe(200)
  }
})

function memory(what: 'VmHWM' | 'VmRSS'): number {
  const status = readFileSync(`/proc/${server.pid}/status`, 'utf8')
  return Number(new RegExp(`${what}:\\s+(\\d+) kB`).exec(status)?.[1]) / 1024
}

/** Sends the requests and reads nothing, so only what the system buffers is received. */
function asking(bytes: string): Promise<Socket[]> {
  return Promise.all(
    Array.from(
      { length: MANY },
      () =>
        new Promise<Socket>((resolve, reject) => {
          // Uses the socket, because over TCP the system might buffer a whole response.
          const socket = connect(server.socket, () => {
            socket.write(bytes, () => resolve(socket))
          })
          socket.pause()
          socket.on('error', reject)
        }),
    ),
  )
}

function firstOf(socket: Socket): Promise<string> {
  return new Promise((resolve) => {
    let text = ''
    socket.on('data', (chunk) => {
      text += chunk.toString('latin1')
      if (text.length < 1000 && !text.includes('\r\n0\r\n') && !text.includes('"error"')) return
      socket.destroy()
      resolve(text)
    })
    socket.on('close', () => resolve(text))
    socket.resume()
  })
}

function request(path: string, body: object, headers: string[] = []): string {
  const text = JSON.stringify(body)
  const lines = [
    `POST ${path} HTTP/1.1`,
    'host: inbox',
    'content-type: application/json',
    `content-length: ${text.length}`,
    ...headers,
  ]
  return `${lines.join('\r\n')}\r\n\r\n${text}`
}

const TOOL = {
  jsonrpc: '2.0',
  id: 1,
  method: 'tools/call',
  params: { name: 'read_messages', arguments: { unreadOnly: false, limit: 100 } },
}
const AS_GREEDY = 'x-inbox-agent: greedy'
const MCP = [AS_GREEDY, 'accept: application/json, text/event-stream']

const ATTACKS: [string, () => string][] = [
  ['show', () => request('/api/ops/show', { thread }, [AS_GREEDY])],
  ['mail read', () => request('/api/ops/mail-read', { all: true, limit: 100 }, [AS_GREEDY])],
  ['a tool', () => request('/mcp', TOOL, MCP)],
]

for (const [name, bytes] of ATTACKS) {
  test(`limits unread answers: ${name}, ${MANY} times at once`, async () => {
    writeFileSync(`/proc/${server.pid}/clear_refs`, '5')
    const before = memory('VmRSS')
    const sockets = await asking(bytes())
    const again = () => op(server, 'list', {}, { as: 'greedy' })
    await until(async () => (await again()).status === 503, 'it gets no more')
    const refusal = await again()
    expect(refusal.body.error).toMatchObject({ code: 'busy' })
    expect(refusal.headers.get('retry-after')).toBe('1')
    const other = await op(server, 'show', { thread }, { as: 'modest' })
    expect(other.status).toBe(200)
    expect(other.body.messages).not.toEqual([])
    const texts = await Promise.all(sockets.map(firstOf))
    expect(memory('VmHWM') - before).toBeLessThan(ROOM_MEGABYTES)
    const refused = texts.filter((text) => /"code": ?"busy"|busy/.test(text.slice(0, 1500)))
    const given = texts.filter((text) => statusIn(text) === 200 && !refused.includes(text))
    expect({ few: given.length < 40, most: refused.length > 150 }).toEqual({
      few: true,
      most: true,
    })
    await until(async () => (await again()).status === 200, 'it is served again after reading')
  })
}

test('limits a person’s unread exports', async () => {
  const sockets = await asking(request('/api/ops/export', {}))
  const texts = await Promise.all(sockets.map(firstOf))
  expect(texts.filter((text) => statusIn(text) === 503).length).toBeGreaterThan(100)
  expect(texts.filter((text) => statusIn(text) === 200).length).toBeGreaterThanOrEqual(16)
  const again = () => op(server, 'export')
  await until(async () => (await again()).status === 200, 'places are freed')
})
