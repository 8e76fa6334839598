// The server goes away, comes back, is full or refuses. This file has its own server.

import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { Client } from 'pg'
import { connect } from '../../src/index.ts'
import { freshDatabase, type Postgres, startPostgres } from '../tools/postgres.ts'
import { startProxy } from '../tools/proxy.ts'
import { until } from '../worlds/world.ts'
import { expectJsonRefusal, expectRefusal, runInbox, startInbox } from './inbox.ts'

let server: Postgres
let url: string
beforeAll(async () => {
  // Three connections are reserved for superusers, but these tests connect as one and can use all 20.
  server = await startPostgres({ settings: { max_connections: '20' } })
  url = (await freshDatabase(server.url)).url
})
afterAll(() => server.stop())

describe('a wait', () => {
  test.each(['fast', 'immediate'] as const)('survives a %s restart of the server', async (mode) => {
    await inbox('send', '--from=lead', '--to=worker', '--subject=first')
    const waiter = startInbox(['watch', `--db=${url}`, '--json', '--timeout-seconds=50'])
    await untilListening()
    await server.restart(mode)
    await inbox('send', '--from=lead', '--to=worker', '--subject=second')
    const { exit, stdout, stderr } = await waiter.ended
    expect({ exit, stderr }).toEqual({ exit: 0, stderr: '' })
    expect(JSON.parse(stdout)).toMatchObject({ woke: true, events: [{ summary: 'second' }] })
  })

  test('for a reply survives a restart too, and keeps its lease', async () => {
    const { thread } = await inbox('send', '--from=lead', '--to=worker', '--subject=work')
    const { thread_id: id } = thread as { thread_id: string }
    await inbox('claim', '--agent=worker', `--thread=${id}`)
    await inbox('update', '--agent=worker', `--thread=${id}`, '--status=blocked', '--summary=which')
    const waiter = startInbox([
      'wait-reply',
      `--db=${url}`,
      '--json',
      '--agent=worker',
      `--thread=${id}`,
    ])
    await untilListening()
    await server.restart('immediate')
    await inbox('reply', '--from=lead', `--thread=${id}`, '--summary=this one')
    const { exit, stdout } = await waiter.ended
    expect(exit).toBe(0)
    expect(JSON.parse(stdout)).toMatchObject({ woke: true, message: { summary: 'this one' } })
  })

  test('that lost its listening session is still woken, and listens again', async () => {
    const waiter = startInbox(['watch', `--db=${url}`, '--json', '--timeout-seconds=50'])
    const pid = await untilListening()
    await asAdmin((admin) => admin.query('select pg_terminate_backend($1)', [pid]))
    await until(async () => (await untilListening()) !== pid, 'another session that listens')
    await inbox('send', '--from=lead', '--to=worker', '--subject=heard')
    const { exit, stdout } = await waiter.ended
    expect(exit).toBe(0)
    expect(JSON.parse(stdout)).toMatchObject({ events: [{ summary: 'heard' }] })
  })
})

test('a client keeps working after restarts between its calls', async () => {
  const client = await connect(url, { agent: 'lead' })
  const { thread } = await client.send({ to: 'worker', subject: 'before' })
  await server.restart('immediate')
  await client.send({ thread: thread.thread_id, summary: 'after' })
  await server.restart('fast')
  const { messages } = await client.show({ thread: thread.thread_id })
  await client.close()
  expect(messages.map(({ summary }) => summary)).toEqual(['before', 'after'])
})

test('with no free connection, commands report busy in one line', async () => {
  const clients: Client[] = []
  try {
    for (;;) {
      const client = new Client({ connectionString: url })
      client.on('error', () => {})
      await client.connect()
      clients.push(client)
    }
  } catch {
    // The server is full now.
  }
  try {
    const says = /no free connection; try again/
    expectRefusal(await runInbox(['list', `--db=${url}`]), { exit: 50, says })
    const json = await runInbox(['list', `--db=${url}`, '--json'])
    expectJsonRefusal(json, { exit: 50, code: 'busy', says })
  } finally {
    await Promise.all(clients.map((client) => client.end()))
  }
  // Sessions end a moment after their connections.
  await until(async () => (await runInbox(['list', `--db=${url}`])).exit === 0, 'a free connection')
})

describe('a refused login', () => {
  const withUrl = (change: (address: URL) => void) => {
    const address = new URL(url)
    change(address)
    return `--db=${address.href}`
  }
  test('with a wrong password says so without showing it', async () => {
    const wrong = withUrl((address) => {
      address.password = 'wrong-secret'
    })
    const ran = await runInbox(['list', wrong])
    expectRefusal(ran, { exit: 50, says: /refused the login \(28P01\); check user and password/ })
    expect(ran.stderr).not.toContain('wrong-secret')
  })
  test('to a missing database says how to create it', async () => {
    const missing = withUrl((address) => {
      address.pathname = '/nowhere'
    })
    const says = /the database does not exist; make it with createdb/
    expectRefusal(await runInbox(['list', missing]), { exit: 50, says })
  })
})

test('a user who may not create a schema gets a clear refusal', async () => {
  await asAdmin((admin) => admin.query(`create role guest login password 'guest'`))
  const address = new URL(url)
  address.username = 'guest'
  address.password = 'guest'
  const ran = await runInbox(['list', `--db=${address.href}`])
  expectRefusal(ran, { exit: 50, says: /may not write there \(42501\)/ })
})

test('a command gives up on a server that accepts and never answers', async () => {
  const proxy = await startProxy(url)
  proxy.pause()
  const ran = await runInbox(['list', `--db=${proxy.url}`])
  await proxy.stop()
  expectRefusal(ran, { exit: 50, says: /cannot reach PostgreSQL at .*; try again/ })
})

const EVERY_KIND = [
  ['list'],
  ['init'],
  ['doctor'],
  ['send', '--from=lead', '--to=worker', '--subject=x'],
  ['claim', '--agent=worker'],
  ['watch', '--timeout-seconds=50'],
  ['wait-reply', '--agent=worker', '--thread=thr_x'],
  ['export', '--follow'],
]

test('every kind of command tries only once when the server hangs up', async () => {
  let asked = 0
  const rude = createServer((socket) => {
    asked += 1
    socket.destroy()
  }).listen(0, '127.0.0.1')
  await once(rude, 'listening')
  const address = new URL(url)
  address.port = String((rude.address() as AddressInfo).port)
  for (const [at, command] of EVERY_KIND.entries()) {
    const ran = await runInbox([...command, `--db=${address.href}`])
    expectRefusal(ran, { exit: 50, says: /cannot reach PostgreSQL at .*; try again/ })
    expect(asked).toBe(at + 1)
  }
  rude.close()
})

// Must be last: it stops this file's server.
test('every kind of command exits with 50 when the server is down', async () => {
  await server.kill()
  for (const command of EVERY_KIND) {
    const ran = await runInbox([...command, `--db=${url}`])
    expectRefusal(ran, {
      exit: 50,
      says: /cannot reach PostgreSQL at .* \(ECONNREFUSED\); try again/,
    })
  }
  const json = await runInbox(['list', `--db=${url}`, '--json'])
  expectJsonRefusal(json, { exit: 50, code: 'busy', says: /cannot reach/ })
})

async function inbox(...args: string[]): Promise<Record<string, unknown>> {
  const { exit, stdout, stderr } = await runInbox([...args, `--db=${url}`, '--json'])
  if (exit !== 0) throw new Error(`inbox ${args.join(' ')}: exit ${exit} ${stdout}${stderr}`)
  return JSON.parse(stdout)
}

/** The server process of the only session that listens. */
async function untilListening(): Promise<number> {
  return asAdmin((admin) =>
    until(async () => {
      const { rows } = await admin.query<{ pid: number }>(
        `select pid from pg_stat_activity
         where datname = $1 and query = 'listen mailroom' and state = 'idle'`,
        [new URL(url).pathname.slice(1)],
      )
      return rows[0]?.pid
    }, 'a session that listens'),
  )
}

async function asAdmin<T>(use: (admin: Client) => Promise<T>): Promise<T> {
  const admin = new Client({ connectionString: server.url })
  await admin.connect()
  try {
    return await use(admin)
  } finally {
    await admin.end()
  }
}
