// The demo: it starts, keeps moving, responds to the person trying it, and leaves no files behind.

import { expect, test } from 'bun:test'
import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { REQUEST_TYPES } from '../../src/core/requests/request-types.ts'
import { ask } from '../program/process.ts'
import { PROGRAM } from '../worlds/program.ts'
import { until } from '../worlds/world.ts'
import { op, type Running, servers } from './serving.ts'

const { start, folder } = servers()

async function demo(env: Record<string, string> = {}) {
  const [temporary, home] = [folder(), folder()]
  const server = await start({
    args: ['--demo'],
    db: [],
    env: { TMPDIR: temporary, HOME: home, ...env },
  })
  return { server, temporary, home }
}

type Row = { thread_id: string; title: string; what: string; documents: number }

async function rowsOf(server: Running): Promise<Row[]> {
  const { body } = await op(server, 'desk-list', { limit: 200 })
  return body.rows as Row[]
}

type Listed = { request_id: string; type: string; title: string; status: string }

async function requestsOf(server: Running, tab: string): Promise<Listed[]> {
  const { body } = await op(server, 'request-list', { tab, limit: 100 })
  return body.requests as Listed[]
}

test('the demo shows one of everything, moves by itself, and its store passes the doctor', async () => {
  const { server, temporary } = await demo()
  const [own] = readdirSync(temporary)
  expect(statSync(join(temporary, own ?? '')).mode & 0o777).toBe(0o700)
  const first = await rowsOf(server)
  const whats = new Set(first.map(({ what }) => what))
  expect([...whats].sort()).toEqual(expect.arrayContaining(['mail', 'push', 'request']))
  const pending = await requestsOf(server, 'pending')
  const types = new Set(pending.map(({ type }) => type))
  expect(Object.keys(REQUEST_TYPES).filter((type) => !types.has(type))).toEqual([])
  const resolved = (await requestsOf(server, 'resolved')).map(({ status }) => status)
  expect(new Set(resolved)).toEqual(new Set(['approved', 'rejected', 'cancelled', 'expired']))
  const { body } = await op(server, 'agent-list')
  const statuses = (body.agents as { status: string }[]).map(({ status }) => status)
  expect(new Set(statuses).size).toBeGreaterThan(1)
  await until(async () => (await rowsOf(server)).length > first.length, 'something arrives')
  const { body: found } = await op(server, 'doctor')
  const checks = found.findings as { ok: boolean }[]
  expect(checks.filter(({ ok }) => !ok)).toEqual([])
  expect(server.log().filter(({ level }) => level !== 'info')).toEqual([])
})

test('agents respond to a reply, a decision, and an answer, and a sleeping agent is woken', async () => {
  const { server, home } = await demo()
  const stateOf = async (message: string) => {
    const { body } = await op(server, 'mail-receipts', { message })
    const [sent] = body.messages as { receipts: { state: string }[] }[]
    return sent?.receipts[0]?.state
  }
  const push = (await rowsOf(server)).find(({ documents }) => documents === 3) as Row
  const { body: replied } = await op(server, 'push-reply', {
    entry: push.thread_id,
    comments: 'Sunday is fine.',
  })
  const { message_id } = replied as { message_id: string }
  await until(async () => (await stateOf(message_id)) === 'acted', 'the agent acts on the reply')

  const [change] = (await requestsOf(server, 'pending')).filter(
    ({ title }) => title === 'Log less in checkout',
  )
  const request = change?.request_id ?? ''
  await op(server, 'approve', { request, revision: 1 })
  const wholeOf = async () => (await op(server, 'request-get', { request })).body
  await until(
    async () =>
      (await wholeOf()).effect !== null && JSON.stringify(await wholeOf()).includes('"done"'),
    'the effect is done',
  )
  await until(async () => JSON.stringify(await wholeOf()).includes('Applied.'), 'it says so')

  const { body: found } = await op(server, 'list', { status: ['blocked'] })
  const [blocked] = found.threads as { thread_id: string }[]
  const thread = blocked?.thread_id ?? ''
  await op(server, 'reply', { thread, summary: 'Keep it for one release' })
  await until(async () => {
    const { body } = await op(server, 'show', { thread })
    return (body.thread as { status: string }).status === 'in_progress' && body
  }, 'the work goes on')

  await op(server, 'mail-send', { to: 'wren', subject: 'Thank you for last week' })
  await until(async () => {
    const { body } = await op(server, 'wake-log', { agent: 'wren' })
    return JSON.stringify(body).includes('"ended"')
  }, 'wren was woken and has answered')
  expect(await server.stop()).toBe(0)
  expect(readdirSync(home)).toEqual([])
})

test('its channel moves, a mentioned agent replies, and stopping it ends the run', async () => {
  const { server } = await demo()
  const instance = 'supplier-audit'
  const whole = async () => {
    const { body } = await op(server, 'workflow-channel', { instance })
    return body as { entries: number; instance: { state: string; kept: boolean; ended: string } }
  }
  const first = await whole()
  expect(first.instance).toMatchObject({ state: 'running', kept: true })
  await until(async () => (await whole()).entries > first.entries, 'someone writes')
  const message = '@fern assume clause 4'
  const { body: said } = await op(server, 'workflow-context-send', { instance, message })
  await until(async () => {
    const { body } = await op(server, 'workflow-entries', { instance })
    const entries = body.entries as { from: string; reply_to: string | null }[]
    return entries.some(({ from, reply_to }) => from === 'fern' && reply_to === said.id)
  }, 'fern answers')
  const { body: notes } = await op(server, 'workflow-context-doc-read', { instance })
  expect(notes).toMatchObject({ exists: true, content: expect.stringContaining('Lumen') })
  const { body: stopped } = await op(server, 'workflow-stop', { target: `@${instance}` })
  expect(stopped).toMatchObject({ stopped: expect.any(Array), still: [] })
  expect((await whole()).instance).toMatchObject({ state: 'ended', ended: 'stopped' })
  expect(server.log().filter(({ level }) => level !== 'info')).toEqual([])
})

test('the demo leaves no files behind after SIGTERM or SIGINT, and leaves other stores alone', async () => {
  const here = folder()
  const real = join(here, 'real.db')
  await ask(['send', '--db', real, '--from=lead', '--to=worker', '--subject=Hi'], { folder: here })
  const before = statSync(real)
  for (const name of ['SIGTERM', 'SIGINT'] as const) {
    const { server, temporary } = await demo({ INBOX_DB: real })
    expect(server.stores[0]?.store).toStartWith(temporary)
    server.signal(name)
    expect(await server.exited).toBe(0)
    expect(readdirSync(temporary)).toEqual([])
  }
  expect(statSync(real)).toEqual(before)
})

test('the demo leaves no files behind when stopped before it serves', async () => {
  const temporary = folder()
  const child = Bun.spawn([PROGRAM, 'serve', '--demo', '--json'], {
    env: { PATH: process.env.PATH, HOME: temporary, TMPDIR: temporary },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  await until(async () => readdirSync(temporary).length > 0, 'its folder is there')
  child.kill('SIGTERM')
  expect(await child.exited).toBe(0)
  expect(readdirSync(temporary)).toEqual([])
})
