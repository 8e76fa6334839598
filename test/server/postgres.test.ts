// Several servers on one PostgreSQL store, and a database that goes down and comes back.

import { afterAll, beforeAll, expect, test } from 'bun:test'
import { type Postgres, startPostgres } from '../tools/postgres.ts'
import { freshSchema } from '../worlds/server.ts'
import { until } from '../worlds/world.ts'
import { hearsItsMail } from './own-mail.ts'
import { comeBackWhileOthersWrite } from './resuming.ts'
import { byPort, listen, op, type Running, servers, tokenFor } from './serving.ts'

const { start, refused } = servers()
let postgres: Postgres
beforeAll(async () => {
  postgres = await startPostgres()
})
afterAll(() => postgres.stop())

const subjects = (heard: { data: Record<string, unknown> }[]) =>
  heard.map(({ data }) => data.summary)

async function send(server: Running, subject: string): Promise<number> {
  const { body } = await op(server, 'send', { to: 'worker', subject }, { as: 'lead' })
  return Number(body.next_event_id)
}

test('an agent hears of its deliveries, live and after reconnecting', async () => {
  const { address } = freshSchema(postgres.url)
  await hearsItsMail(await start({ db: [address] }))
})

test('clients that keep reconnecting to either of two servers get each event once', async () => {
  const { address } = freshSchema(postgres.url)
  const both = await Promise.all([start({ db: [address] }), start({ db: [address] })])
  await comeBackWhileOthersWrite(both, { readers: 10, times: 100 })
})

test('work, tokens, and sign-ins at one server take effect at the other', async () => {
  const { address } = freshSchema(postgres.url)
  const [one, two] = await Promise.all([start({ db: [address] }), start({ db: [address] })])
  const streams = await Promise.all([listen(one), listen(two)])
  const { next_event_id: after_event } = (await op(two, 'list')).body
  const waiting = op(two, 'watch', { after_event, timeout_seconds: 50 }, { as: 'worker' })
  await send(one, 'From one')
  await send(two, 'From two')
  for (const stream of streams) {
    await stream.until((heard) => subjects(heard).includes('From two'))
    const own = stream.heard.filter(({ data }) => data.event_type === 'thread_send')
    expect(subjects(own)).toEqual(['From one', 'From two'])
    stream.leave()
  }
  expect((await waiting).body).toMatchObject({ woke: true })
  const token = await tokenFor(one, { name: 'bob' })
  expect((await byPort(two, '/api/me', undefined, { token })).status).toBe(200)
  await op(two, 'token-revoke', { token })
  expect((await byPort(one, '/api/me', undefined, { token })).status).toBe(401)
  const code = new URL(one.signIn).searchParams.get('code') ?? ''
  const signIn = (server: Running) =>
    fetch(`${server.url}/sign-in`, {
      method: 'POST',
      redirect: 'manual',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams({ code }).toString(),
    })
  const tries = await Promise.all([signIn(one), signIn(two)])
  expect(tries.map(({ status }) => status).sort()).toEqual([303, 401])
})

test('the database password does not appear in logs or answers', async () => {
  const { address } = freshSchema(postgres.url)
  const server = await start({ db: [address], args: ['--log', 'requests'] })
  const { password } = new URL(postgres.url)
  expect(password.length).toBeGreaterThan(5)
  const answers = [await op(server, 'doctor'), await op(server, 'init'), await op(server, 'status')]
  const output = JSON.stringify([answers.map(({ text }) => text), server.log(), server.printed()])
  expect(output).not.toContain(password)
  const bad = new URL(address)
  bad.port = '1'
  const { answer } = await refused({ db: [bad.href] })
  expect(JSON.stringify(answer)).not.toContain(password)
})

test('answers busy during a database outage, then recovers without losing or repeating events', async () => {
  const { address } = freshSchema(postgres.url)
  const server = await start({ db: [address] })
  const outage = () => server.log().filter(({ what }) => what === 'store')
  const stream = await listen(server)
  await send(server, 'Before')
  await stream.until((heard) => subjects(heard).includes('Before'))
  await postgres.kill()
  const away = await op(server, 'send', { to: 'worker', subject: 'Lost' }, { as: 'lead' })
  expect({ status: away.status, body: away.body }).toMatchObject({
    status: 503,
    body: { ok: false, error: { code: 'busy' } },
  })
  expect(away.headers.get('retry-after')).toBe('1')
  expect((await byPort(server, '/readyz')).status).toBe(503)
  expect((await byPort(server, '/healthz')).status).toBe(200)
  await postgres.restart('fast')
  while ((await byPort(server, '/readyz')).status !== 200);
  await send(server, 'After')
  await stream.until((heard) => subjects(heard).includes('After'))
  const own = stream.heard.filter(({ data }) => data.event_type === 'thread_send')
  expect(subjects(own)).toEqual(['Before', 'After'])
  stream.leave()
  // The log records the outage once with its reason, and the recovery once.
  await until(async () => outage().length === 2, 'that it is back')
  expect(outage()).toMatchObject([
    { level: 'error', is: 'away', why: expect.stringMatching(/cannot reach PostgreSQL at /) },
    { level: 'warn', is: 'back', seconds: expect.any(Number) },
  ])
  expect(JSON.stringify(outage())).not.toContain(new URL(postgres.url).password)
  expect(await server.stop()).toBe(0)
})
