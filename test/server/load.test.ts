// Callers that send too much, too slowly or too often. Each is cut off without affecting the others.

import { beforeAll, describe, expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { byPort, op, type Running, rawly, servers, statusIn } from './serving.ts'

const { start } = servers()
let server: Running
beforeAll(async () => {
  server = await start()
})

/** Whether other callers are still served. */
async function isServing(): Promise<boolean> {
  return (await op(server, 'list')).status === 200
}

function rssMb(): number {
  const [, kb] = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${server.pid}/status`, 'utf8')) ?? [0, 0]
  return Number(kb) / 1024
}

const head = (lines: string[]) =>
  [...lines, `Host: 127.0.0.1:${server.port}`, 'X-Inbox-Agent: bob', '', ''].join('\r\n')

describe('a body of 100 MB', () => {
  test('is refused before it is sent if Content-Length says so', async () => {
    const length = `Content-Length: ${100 * 1024 * 1024}`
    const { text } = await rawly(
      server,
      head(['POST /api/ops/send HTTP/1.1', 'Content-Type: application/json', length]),
    )
    expect(statusIn(text)).toBe(413)
  })

  test('is cut off at the limit if sent in chunks, and not kept in memory', async () => {
    const before = process.platform === 'linux' ? rssMb() : 0
    const sent = await flood(100)
    expect(statusIn(sent.text)).toBe(413)
    expect(await isServing()).toBe(true)
    if (process.platform === 'linux') expect(rssMb() - before).toBeLessThan(80)
  })
})

test('many large bodies at once do not all go into memory', async () => {
  const before = process.platform === 'linux' ? rssMb() : 0
  const length = 7 * 1024 * 1024
  const most = Buffer.alloc(length - 1, ' ')
  const lines = ['POST /api/ops/list HTTP/1.1', 'Content-Type: application/json']
  const statuses: number[] = []
  const sockets = await Promise.all(Array.from({ length: 40 }, () => opened()))
  const refused = new Promise<void>((resolve) => {
    for (const socket of sockets) {
      socket.once('data', (data) => {
        statuses.push(statusIn(data.toString('latin1')))
        if (statuses.length > 5) resolve()
      })
      socket.write(head([...lines, `Content-Length: ${length}`]))
      socket.write(most)
    }
  })
  await refused
  expect(new Set(statuses)).toEqual(new Set([503]))
  expect(await isServing()).toBe(true)
  if (process.platform === 'linux') expect(rssMb() - before).toBeLessThan(500)
  for (const socket of sockets) socket.destroy()
})

function flood(mb: number): Promise<{ text: string }> {
  return new Promise((resolve) => {
    const socket = connect(server.port, '127.0.0.1')
    const piece = Buffer.alloc(64 * 1024, 'a')
    const chunk = Buffer.concat([Buffer.from('10000\r\n'), piece, Buffer.from('\r\n')])
    let text = ''
    let sent = 0
    const over = () => resolve({ text })
    socket.on('error', () => {})
    socket.on('close', over)
    socket.on('data', (data) => {
      text += data.toString('latin1')
      if (text.includes('\r\n\r\n')) socket.destroy()
    })
    socket.write(
      head([
        'POST /api/ops/send HTTP/1.1',
        'Content-Type: application/json',
        'Transfer-Encoding: chunked',
      ]),
    )
    const more = () => {
      while (!socket.destroyed && sent < mb * 16) {
        sent += 1
        if (!socket.write(chunk)) return void socket.once('drain', more)
      }
    }
    more()
  })
}

describe('with slow callers, the server', () => {
  test.concurrent('cuts off a request head that never ends', async () => {
    const text = await dripping(`GET /healthz HTTP/1.1\r\nX-Slow: `)
    expect(text).toBe('')
  })

  test.concurrent('cuts off a silent connection', async () => {
    const { closed, text } = await rawly(server, '')
    expect({ closed, text }).toEqual({ closed: true, text: '' })
  })

  test.concurrent('answers 408 if the body does not arrive', async () => {
    const lines = [
      'POST /api/ops/list HTTP/1.1',
      'Content-Type: application/json',
      'Content-Length: 100',
    ]
    const { text } = await rawly(server, `${head(lines)}{`)
    expect(statusIn(text)).toBe(408)
  })

  test('still serves other callers', async () => {
    const slow = await Promise.all(Array.from({ length: 500 }, () => opened()))
    for (const socket of slow) socket.write('GET / HTTP/1.1\r\nX-')
    expect(await isServing()).toBe(true)
    expect((await byPort(server, '/healthz')).status).toBe(200)
    for (const socket of slow) socket.destroy()
  })
})

function opened(): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect(server.port, '127.0.0.1', () => resolve(socket))
    socket.once('error', reject)
    socket.on('error', () => {})
  })
}

/** Sends one character every 250 ms until it is cut off, and returns what the server sent. */
async function dripping(text: string): Promise<string> {
  const socket = await opened()
  let got = ''
  socket.on('data', (data) => {
    got += data.toString('latin1')
  })
  let at = 0
  const drip = setInterval(() => socket.write(text[at++] ?? 'a'), 250)
  await new Promise((resolve) => socket.once('close', resolve))
  clearInterval(drip)
  return got
}

test('refuses streams above the limit, and keeps serving other calls', async () => {
  const many = 4200
  const sockets: Socket[] = []
  let refused = 0
  let accepted = 0
  const done = new Promise<void>((resolve) => {
    const seen = () => {
      if (refused + accepted === many) resolve()
    }
    for (let i = 0; i < many; i++) {
      const socket = connect(server.port, '127.0.0.1')
      sockets.push(socket)
      socket.once('data', (data) => {
        const status = statusIn(data.toString('latin1'))
        if (status === 200) accepted += 1
        if (status === 503) refused += 1
        seen()
      })
      socket.on('error', () => {})
      // 70 agents, because each has its own limit.
      socket.write(head(['GET /api/events HTTP/1.1']).replace('bob', `bob${i % 70}`))
    }
  })
  await done
  expect({ accepted, refused }).toEqual({ accepted: 4000, refused: 200 })
  expect(await isServing()).toBe(true)
  for (const socket of sockets) socket.destroy()
})

test('clients that withhold the end of large bodies do not block others', async () => {
  const mebibyte = Buffer.alloc(1024 * 1024, 32)
  const length = 8 * mebibyte.length
  const refused = Promise.withResolvers<void>()
  const sockets: Socket[] = []
  for (let i = 0; i < 20; i += 1) {
    const socket = connect(server.port, '127.0.0.1')
    socket.on('error', () => {})
    socket.on('data', (bytes) => {
      if (String(bytes).startsWith('HTTP/1.1 503')) refused.resolve()
    })
    const type = 'Content-Type: application/json'
    socket.write(head(['POST /api/ops/list HTTP/1.1', type, `Content-Length: ${length}`]))
    for (let sent = 0; sent < 7; sent += 1) socket.write(mebibyte)
    sockets.push(socket)
  }
  await refused.promise
  const body = { to: 'ann', subject: 'Large', body: 'x'.repeat(200_000) }
  const other = await byPort(server, '/api/ops/send', body, { as: 'carol' })
  expect(other.status).toBe(200)
  for (const socket of sockets) socket.destroy()
})
