// Useless files imported over HTTP: the server gives up early, doesn't block other callers, and imports one file at a
// time.

import { beforeAll, expect, test } from 'bun:test'
import { bySocket, op, type Running, servers } from './serving.ts'

const { start } = servers()
let server: Running
beforeAll(async () => {
  server = await start()
})

function importing(body: string | ReadableStream<Uint8Array>, as = 'mailbox') {
  return fetch(`http://inbox/api/ops/import?as=${as}`, {
    method: 'POST',
    unix: server.socket,
    headers: { 'content-type': 'application/x-ndjson' },
    body,
  })
}

test('an import stops after 1000 invalid lines', async () => {
  const lines = 'x\n'.repeat(2_000_000)
  for (const as of ['mailbox', 'entries']) {
    const answers = importing(lines, as)
    expect((await bySocket(server, '/healthz')).status).toBe(200)
    const response = await answers
    const text = await response.text()
    expect({ as, status: response.status, says: text.includes('1000 lines') }).toEqual({
      as,
      status: 400,
      says: true,
    })
    expect(text.length).toBeLessThan(1000)
  }
})

test('a few invalid lines among good ones are only reported', async () => {
  const line = (id: number) =>
    JSON.stringify({
      id: `msg-${id}`,
      type: 'custom',
      from: 'agent:ann',
      to: 'agent:bob',
      body: 'Hi',
      read: false,
      createdAt: '2026-01-31T09:00:00Z',
    })
  const response = await importing(`${line(1)}\nx\n${line(2)}\n`)
  expect(await response.json()).toMatchObject({
    ok: true,
    messages: { added: 2 },
    rejected: [{ line: 2 }],
  })
})

test('a second import is refused while one runs, and the store stays usable', async () => {
  let feed: ReadableStreamDefaultController<Uint8Array> | undefined
  const slow = new ReadableStream<Uint8Array>({
    start(controller) {
      feed = controller
      controller.enqueue(new TextEncoder().encode('\n'))
    },
  })
  const first = importing(slow)
  for (;;) {
    const second = await importing('\n')
    if (second.status === 503) break
  }
  expect((await op(server, 'list')).status).toBe(200)
  feed?.close()
  expect((await first).status).toBe(200)
  expect((await importing('\n')).status).toBe(200)
})
