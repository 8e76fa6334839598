// A server with more connections than file descriptors. It refuses new callers without spinning, and recovers once the
// connections have closed.

import { expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { until } from '../worlds/world.ts'
import { listen, op, type Running, rawly, servers, statusIn } from './serving.ts'

const { start, refused } = servers()
const TICKS_A_SECOND = 100

test.skipIf(process.platform !== 'linux')(
  'a server out of descriptors refuses callers, logs it once, does not spin, and recovers',
  async () => {
    const server = await start({ files: 64 })
    const said = (is: string) => server.log().filter((line) => line.is === is)
    const stream = await listen(server)
    const sockets = Array.from({ length: 150 }, () => silent(server))
    await until(async () => said('out').length > 0, 'the log says that it is out')
    const before = { ticks: ticks(server), at: performance.now() }
    for (let i = 0; i < 20; i += 1) {
      const { text } = await rawly(server, 'GET /healthz HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n')
      // A caller that sends right away might see only that the connection closes.
      expect([0, 503]).toContain(statusIn(text))
    }
    // Silent connections are closed after a while.
    await until(async () => said('back').length > 0, 'the log says that it is back')
    const seconds = (performance.now() - before.at) / 1000
    const busy = (ticks(server) - before.ticks) / TICKS_A_SECOND
    expect(busy / seconds).toBeLessThan(0.4)
    expect((await op(server, 'send', { to: 'ann', summary: 'Go' }, { as: 'bob' })).status).toBe(200)
    const { text } = await rawly(
      server,
      `GET /healthz HTTP/1.1\r\nHost: 127.0.0.1:${server.port}\r\n\r\n`,
    )
    expect(statusIn(text)).toBe(200)
    // The stream opened earlier was not cut off.
    await stream.until((heard) => heard.length > 0)
    stream.leave()
    expect(
      server
        .log()
        .filter(({ what }) => what === 'descriptors')
        .map(({ is }) => is),
    ).toEqual(['out', 'back'])
    expect(server.log().filter(({ what }) => what === 'bug')).toEqual([])
    for (const socket of sockets) socket.destroy()
    expect(await server.stop()).toBe(0)
  },
  60_000,
)

test('the server refuses to start with too few descriptors', async () => {
  const { code, answer } = await refused({ files: 32 })
  expect(code).toBe(30)
  expect(answer.error).toMatchObject({
    code: 'invalid_state',
    message: expect.stringContaining('raise the limit (ulimit -n)'),
  })
})

function silent({ port }: Running): Socket {
  const socket = connect(port, '127.0.0.1')
  socket.on('error', () => {})
  return socket
}

/** CPU time used by the process, in hundredths of a second. */
function ticks({ pid }: Running): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? []
  return Number(fields[11]) + Number(fields[12])
}
