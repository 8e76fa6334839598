// A large response counts as shown once the system has accepted all of it for an open connection. A reader that takes
// the beginning and leaves has been shown nothing.

import { describe, expect, test } from 'bun:test'
import { connect, type Socket } from 'node:net'
import { freshSchema } from '../worlds/server.ts'
import { until } from '../worlds/world.ts'
import { op, type Running, servers } from './serving.ts'

const { start } = servers()

/** Together they make one response, larger than what the system buffers for a connection no one reads from. */
const MAILS = 4
const BODY = 'x'.repeat(240_000)
const TAKEN = 1000

type Reader = { name: string; request: (as: string) => string }

function request(path: string, body: object, as: string): string {
  const text = JSON.stringify(body)
  const lines = [
    `POST ${path} HTTP/1.1`,
    'host: inbox',
    'content-type: application/json',
    'accept: application/json, text/event-stream',
    `x-inbox-agent: ${as}`,
    `content-length: ${text.length}`,
  ]
  return `${lines.join('\r\n')}\r\n\r\n${text}`
}

const call = (more: object) => ({
  jsonrpc: '2.0',
  id: 1,
  method: 'tools/call',
  params: { name: 'read_messages', arguments: { limit: 100 }, ...more },
})

const READERS: Reader[] = [
  {
    name: 'mail read',
    request: (as) => request('/api/ops/mail-read', { limit: 100 }, as),
  },
  { name: 'a tool', request: (as) => request('/mcp', call({}), as) },
  {
    // With an extra field, the protocol's own package responds, as a stream.
    name: 'a tool, as a stream',
    request: (as) => request('/mcp', call({ more: true }), as),
  },
]
/** The end of a chunked response. */
const END = '\r\n0\r\n\r\n'

/** Uses the socket, because over TCP the system might buffer a whole response. */
const open = (server: Running) => connect(server.socket)

/** Reads this much, then stops but stays connected. */
function takeSome(socket: Socket, bytes: string): Promise<void> {
  return new Promise((resolve, reject) => {
    let taken = 0
    socket.on('readable', () => {
      if (taken >= TAKEN) return
      taken += (socket.read(TAKEN) ?? socket.read() ?? '').length
      if (taken >= TAKEN) resolve()
    })
    socket.on('error', reject)
    socket.on('close', () => reject(new Error('the answer broke off')))
    socket.write(bytes)
  })
}

function takeAll(socket: Socket, bytes: string): Promise<number> {
  return new Promise((resolve, reject) => {
    let taken = 0
    let last = ''
    socket.on('data', (chunk) => {
      taken += chunk.length
      last = (last + chunk.toString('latin1')).slice(-END.length)
      if (last !== END) return
      socket.destroy()
      resolve(taken)
    })
    socket.on('error', reject)
    socket.on('close', () => reject(new Error('the answer broke off')))
    socket.write(bytes)
  })
}

async function states(server: Running, agent: string): Promise<string[]> {
  const { body } = await op(server, 'mail-peek', { all: true, limit: 100 }, { as: agent })
  return (body.messages as { state: string }[]).map(({ state }) => state)
}

const all = (state: string) => Array.from({ length: MAILS }, () => state)

describe.each(['sqlite', 'postgres'])('on %s', (engine) => {
  let running: Promise<Running> | undefined
  const serve = () => {
    running ??= start(engine === 'sqlite' ? {} : { db: [freshSchema().address] })
    return running
  }

  for (const [at, { name, request }] of READERS.entries()) {
    test(name, async () => {
      const server = await serve()
      const agent = `reader${at}`
      await op(server, 'mail-read', {}, { as: agent })
      for (let i = 0; i < MAILS; i++) {
        const mail = { to: agent, subject: 'Much', body: BODY }
        expect((await op(server, 'mail-send', mail, { as: 'writer' })).status).toBe(200)
      }
      const leaver = open(server)
      await takeSome(leaver, request(agent))
      expect(await states(server, agent)).toEqual(all('queued'))
      leaver.destroy()
      // The server notices the disconnect before the second of these calls.
      await states(server, agent)
      await states(server, agent)
      expect(await states(server, agent)).toEqual(all('queued'))
      expect(await takeAll(open(server), request(agent))).toBeGreaterThan(MAILS * BODY.length)
      const isShown = async () => (await states(server, agent)).every((one) => one === 'presented')
      await until(isShown, 'all of it is presented')
    })
  }
})
