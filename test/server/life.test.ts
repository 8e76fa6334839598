// How a server starts and stops.

import { describe, expect, test } from 'bun:test'
import { chmodSync, existsSync, mkdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { connect, createServer, type Socket } from 'node:net'
import { dirname, join } from 'node:path'
import { ask } from '../program/process.ts'
import { until } from '../worlds/world.ts'
import { byPort, listen, op, type Running, servers } from './serving.ts'

const { start, refused, folder } = servers()

function takenPort(server: Running): number | undefined {
  return JSON.parse(server.printed().split('\n')[0] ?? '').taken_port
}

/** Starts a server for a store whose usual port is free. */
async function atUsualPort(): Promise<{ first: Running; db: string[] }> {
  const db = [join(folder(), 'store.db')]
  const first = await start({ db })
  return takenPort(first) === undefined ? { first, db } : atUsualPort()
}

describe('a server starts', () => {
  test('on this machine only, with a private socket', async () => {
    const server = await start()
    expect(server.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/)
    expect(statSync(server.socket).mode & 0o777).toBe(0o600)
    expect(statSync(dirname(server.socket)).mode & 0o777).toBe(0o700)
    expect(server.signIn).toStartWith(`${server.url}/sign-in?code=`)
    expect((await byPort(server, '/healthz')).body).toMatchObject({ ok: true })
  })

  test('and sees what the shell does in the same store', async () => {
    const home = folder()
    const db = join(home, 'store.db')
    await ask(['send', '--db', db, '--from=lead', '--to=worker', '--subject=Before'], {
      folder: home,
    })
    const server = await start({ db: [db] })
    const stream = await listen(server)
    await ask(['send', '--db', db, '--from=lead', '--to=worker', '--subject=After'], {
      folder: home,
    })
    await stream.until((heard) => heard.some(({ data }) => data.summary === 'After'))
    const { body } = await op(server, 'list')
    expect(body.threads).toHaveLength(2)
    stream.leave()
  })

  test('reachable from other machines only if it requires tokens', async () => {
    for (const host of ['0.0.0.0', '::', '192.0.2.1', 'example.com']) {
      const { code, answer } = await refused({ args: ['--host', host] })
      expect({ host, code }).toEqual({ host, code: 30 })
      expect(answer.error.message).toContain('--auth tokens')
    }
    const open = await start({ args: ['--host', '0.0.0.0', '--auth', 'tokens'] })
    expect((await byPort(open, '/api/ops/list', {}, { as: 'bob' })).status).toBe(401)
    await open.stop()
  })

  test('not on a port in use', async () => {
    const server = await start()
    const { code, answer } = await refused({ args: ['--port', String(server.port)] })
    expect({ code, says: answer.error.code }).toEqual({ code: 30, says: 'invalid_state' })
  })

  test('on the same port each time, unless another process has it', async () => {
    const { first, db } = await atUsualPort()
    // A connection that the server closes keeps its port in TIME_WAIT for a while.
    expect((await byPort(first, '/healthz')).status).toBe(200)
    first.signal('SIGKILL')
    await first.exited
    const second = await start({ db })
    expect(second.url).toBe(first.url)
    const beside = await start({ db, args: ['--socket', 'none'] })
    expect(beside.port).not.toBe(first.port)
    expect(takenPort(beside)).toBe(first.port)
    await second.stop()
    const other = await start({ db, args: ['--port', '0'] })
    expect(other.port).not.toBe(first.port)
    await other.stop()
    const third = await start({ db })
    expect(third.url).toBe(first.url)
    const elsewhere = await start()
    expect(elsewhere.port).not.toBe(first.port)
  })

  test('not with the same store twice, or with a copy of it', async () => {
    const home = folder()
    const db = join(home, 'store.db')
    const copy = join(home, 'copy.db')
    await start({ db: [db], args: ['--socket', 'none'] })
    await ask(['backup', copy, '--db', db], { folder: home })
    for (const other of [db, copy]) {
      const { code, answer } = await refused({ db: [db, other], args: ['--socket', 'none'] })
      expect({ code, says: answer.error.message }).toMatchObject({
        code: 30,
        says: expect.stringContaining('the same store'),
      })
    }
  })

  test('under other host names, if allowed', async () => {
    const server = await start({ args: ['--allow-host', 'inbox.example', '--auth', 'tokens'] })
    const at = (host: string) => byPort(server, '/healthz', undefined, { headers: { host } })
    expect((await at('inbox.example')).status).toBe(200)
    expect((await at('evil.example')).status).toBe(421)
  })
})

describe('a socket', () => {
  test('left by a killed server is taken over', async () => {
    const home = folder()
    const db = [join(home, 'store.db')]
    const env = { XDG_RUNTIME_DIR: home }
    const first = await start({ db, env })
    first.signal('SIGKILL')
    await first.exited
    expect(existsSync(first.socket)).toBe(true)
    const second = await start({ db, env })
    expect(second.socket).toBe(first.socket)
    expect((await op(second, 'list')).status).toBe(200)
  })

  test('in use by another server is not, and the refusal suggests --socket', async () => {
    const home = folder()
    const db = [join(home, 'store.db')]
    const env = { XDG_RUNTIME_DIR: home }
    const first = await start({ db, env })
    const { code, answer } = await refused({ db, env })
    expect({ code, says: answer.error.code }).toEqual({ code: 30, says: 'invalid_state' })
    expect(answer.error.message).toContain('--socket')
    expect((await op(first, 'list')).status).toBe(200)
    const beside = await start({ db, env, args: ['--socket', 'none'] })
    expect((await byPort(beside, '/readyz')).status).toBe(200)
  })

  test('is not created over another file, or where other users have access', async () => {
    const home = folder()
    const path = join(home, 'private', 'file')
    mkdirSync(dirname(path), { mode: 0o700 })
    writeFileSync(path, 'mine')
    expect((await refused({ args: ['--socket', path] })).code).toBe(30)
    expect(existsSync(path)).toBe(true)
    chmodSync(dirname(path), 0o755)
    const other = await refused({ args: ['--socket', `${path}.sock`] })
    expect(other.answer.error.message).toContain('entered by other users')
    const long = join(home, 'private', 'x'.repeat(120))
    expect((await refused({ args: ['--socket', long] })).code).toBe(30)
  })

  test('is left alone if another program listens on it', async () => {
    const home = folder()
    mkdirSync(join(home, 'private'), { mode: 0o700 })
    const path = join(home, 'private', 'other.sock')
    const other = createServer().listen(path)
    await new Promise((resolve) => other.once('listening', resolve))
    expect((await refused({ args: ['--socket', path] })).code).toBe(30)
    other.close()
  })
})

describe('a server told to stop', () => {
  const wait = (server: Running) => op(server, 'watch', { timeout_seconds: 50 }, { as: 'worker' })

  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    test(`by ${signal} answers waiting calls, ends streams, and removes its socket`, async () => {
      const server = await start()
      const stream = await listen(server)
      const waiting = wait(server)
      await waitsFor(server, 1)
      server.signal(signal)
      const { status, body } = await waiting
      expect({ status, body }).toMatchObject({
        status: 200,
        body: { woke: false, interrupted: true },
      })
      await stream.ended
      expect(await server.exited).toBe(0)
      expect(existsSync(server.socket)).toBe(false)
      expect(server.printed()).toContain('"command":"serve"')
    })
  }

  test('finishes and answers writes it has received', async () => {
    const server = await start()
    const sends = Array.from({ length: 50 }, (_, i) =>
      op(server, 'send', { to: 'worker', subject: `N${i}` }, { as: 'lead' }),
    )
    await Promise.race(sends)
    const stopped = server.stop()
    const answers = await Promise.allSettled(sends)
    expect(await stopped).toBe(0)
    const done = answers.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []))
    // Late callers got a refusal or no connection, but no one got a partial response.
    for (const { status } of done) expect([200, 503]).toContain(status)
    expect(done.some(({ status }) => status === 200)).toBe(true)
  })
})

async function waitsFor(server: Running, many: number): Promise<void> {
  for (;;) {
    const { text } = await byPort(server, '/metrics')
    if (Number(/^inbox_calls_waiting (\d+)$/m.exec(text)?.[1]) >= many) return
  }
}

test('clients resume where they were after the server is killed and restarted', async () => {
  const home = folder()
  const db = [join(home, 'store.db')]
  const first = await start({ db })
  const stream = await listen(first)
  const { body } = await op(first, 'send', { to: 'worker', subject: 'One' }, { as: 'lead' })
  await stream.until((heard) => heard.some(({ data }) => data.summary === 'One'))
  const lastId = stream.heard.at(-1)?.id ?? 0
  first.signal('SIGKILL')
  await stream.ended
  await ask(['send', '--db', db[0] as string, '--from=lead', '--to=worker', '--subject=Two'], {
    folder: home,
  })
  const second = await start({ db })
  const back = await listen(second, '', { headers: { 'last-event-id': String(lastId) } })
  await back.until((heard) => heard.some(({ data }) => data.summary === 'Two'))
  expect(back.heard.some(({ data }) => data.summary === 'One')).toBe(false)
  const watched = { after_event: body.next_event_id, timeout_seconds: 50 }
  const { body: seen } = await op(second, 'watch', watched, { as: 'worker' })
  expect(seen).toMatchObject({ woke: true, events: [{ summary: 'Two' }] })
  back.leave()
})

test.skipIf(!existsSync('/proc/net/unix'))(
  'a suspended server that accepts no connections keeps its socket',
  async () => {
    const db = [join(folder(), 'store.db')]
    const args = ['--socket', join(folder(), 'sockets/own.sock')]
    const first = await start({ db, args })
    first.signal('SIGSTOP')
    const waiting: Socket[] = []
    for (let isTaken = true; isTaken; ) {
      const socket = connect(first.socket)
      waiting.push(socket)
      isTaken = await new Promise((resolve) => {
        socket.once('connect', () => resolve(true))
        socket.once('error', () => resolve(false))
      })
    }
    const { answer } = await refused({ db, args })
    expect(answer).toMatchObject({ error: { code: 'invalid_state' } })
    for (const socket of waiting) socket.destroy()
    first.signal('SIGCONT')
    // The server responds once it has accepted all pending connections.
    const list = () => op(first, 'list').catch(() => null)
    await until(async () => (await list())?.status === 200, 'an answer')
  },
)

test('an export that follows the log survives a long silence on the socket', async () => {
  const server = await start()
  const response = await fetch('http://inbox/api/ops/export', {
    method: 'POST',
    unix: server.socket,
    headers: { 'content-type': 'application/json' },
    body: '{"follow":true}',
  })
  const reader = (response.body as ReadableStream<Uint8Array>).getReader()
  await reader.read()
  // Waits longer than the runtime's default idle timeout.
  await op(server, 'watch', { timeout_seconds: 14 }, { as: 'worker' })
  await op(server, 'send', { to: 'worker', subject: 'At last' }, { as: 'lead' })
  let text = ''
  while (!text.includes('At last')) {
    const { done, value } = await reader.read()
    expect(done).toBe(false)
    text += new TextDecoder().decode(value)
  }
  await reader.cancel()
})

test('the server recreates its socket if it is removed with its folder', async () => {
  const server = await start()
  const waiting = op(server, 'watch', { timeout_seconds: 50 }, { as: 'worker' })
  await until(
    async () => /inbox_calls_waiting [1-9]/.test((await byPort(server, '/metrics')).text),
    'it waits',
  )
  rmSync(dirname(server.socket), { recursive: true })
  await until(async () => existsSync(server.socket), 'the socket')
  await until(async () => (await op(server, 'list').catch(() => null))?.status === 200, 'an answer')
  expect(statSync(dirname(server.socket)).mode & 0o777).toBe(0o700)
  expect(statSync(server.socket).mode & 0o777).toBe(0o600)
  await op(server, 'send', { to: 'worker', subject: 'Here' }, { as: 'lead' })
  expect((await waiting).body).toMatchObject({ woke: true })
  expect(await server.stop()).toBe(0)
  expect(existsSync(server.socket)).toBe(false)
})
