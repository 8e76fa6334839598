// Each caller can have a limited number of waits and streams open.

import { beforeAll, expect, test } from 'bun:test'
import { once } from 'node:events'
import { connect } from 'node:net'
import { listen, type Running, servers } from './serving.ts'

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
  // Keeps the response, because garbage collection would close it and free its slot.
  return { status: response.status, response, leave: () => leaving.abort() }
}

test('limits each agent’s event streams, without affecting other agents', async () => {
  const own = await Promise.all(Array.from({ length: 80 }, () => stream('greedy')))
  expect(own.filter(({ status }) => status === 200)).toHaveLength(64)
  expect(own.filter(({ status }) => status === 503)).toHaveLength(16)
  const other = await listen(server, '', { as: 'modest' })
  expect(other.response.status).toBe(200)
  other.leave()
  for (const { leave } of own) leave()
  // Closed streams free their slots.
  for (;;) {
    const { status, leave } = await stream('greedy')
    leave()
    if (status === 200) break
  }
})

test('limits a person’s followed exports, because each holds a page in memory', async () => {
  const body = '{"follow":true}'
  const head = `POST /api/ops/export HTTP/1.1\r\nHost: inbox\r\nContent-Type: application/json\r\n`
  const follow = async () => {
    const socket = connect(server.socket)
    socket.write(`${head}Content-Length: ${body.length}\r\n\r\n${body}`)
    const [answer] = (await once(socket, 'data')) as [Buffer]
    return { socket, status: answer.toString('utf8', 9, 12) }
  }
  const all = await Promise.all(Array.from({ length: 20 }, follow))
  expect(all.filter(({ status }) => status === '200')).toHaveLength(16)
  expect(all.filter(({ status }) => status === '503')).toHaveLength(4)
  for (const { socket } of all) socket.destroy()
})

test('limits each agent’s waits', async () => {
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
})
