// An agent that a server wakes: its environment variables, its identity, and how long it lasts.

import { expect, test } from 'bun:test'
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parentOf } from '../faults/processes.ts'
import { type Engine, freshStore, type TestStore } from '../worlds/store.ts'
import { until } from '../worlds/world.ts'
import { byPort, op, type Running, servers } from './serving.ts'

const { start, refused } = servers()

/** Longer than a wake lasts without a renewal by its supervisor. */
const LAPSED = 40
const TURN = 600

type Env = Record<string, string>

/** A server with an agent that records its environment variables and runs until the test releases it. */
async function awake(
  engine: Engine,
  { args = [], env = {} }: { args?: string[]; env?: Env },
  use: (scene: Scene) => Promise<void>,
): Promise<void> {
  const store = await freshStore(engine)
  const [noted, held] = [join(store.folder, 'noted'), join(store.folder, 'held')]
  const server = await start({ db: [store.address], args, env })
  try {
    await store.clock.set(new Date().toISOString())
    writeFileSync(held, '')
    const script = `echo $$ > "$1.tmp"; env >> "$1.tmp"; mv "$1.tmp" "$1"; while [ -e "$2" ]; do sleep 0.05; done`
    const wake_command = JSON.stringify(['/bin/sh', '-c', script, 'sh', noted, held])
    await op(server, 'agent-register', { agent: 'ann', wake_command, wake_timeout_seconds: TURN })
    await op(server, 'mail-send', { to: 'ann', type: 'question', body: 'Up?' })
    await until(async () => existsSync(noted), 'it is awake')
    const [pid = '', ...lines] = readFileSync(noted, 'utf8').split('\n')
    const variables = Object.fromEntries(lines.map((line) => line.split(/=(.*)/s).slice(0, 2)))
    const letGo = () => rmSync(held, { force: true })
    await use({ server, store, env: variables, pid: Number(pid), letGo })
  } finally {
    rmSync(held, { force: true })
    await until(async () => (await states(server)).every(isOver), 'its turn is over').catch(
      () => {},
    )
    await server.stop()
    await store.remove()
  }
}

type Scene = { server: Running; store: TestStore; env: Env; pid: number; letGo: () => void }

async function states(server: Running): Promise<string[]> {
  const { body } = await op(server, 'wake-log', {})
  return (body.wakes as { state: string }[]).map(({ state }) => state)
}

function isOver(state: string): boolean {
  return state !== 'starting' && state !== 'running'
}

function asks(server: Running, token: string | undefined) {
  return byPort(server, '/api/me', undefined, { token: token ?? '' })
}

const TOKENS = ['--auth', 'tokens']

for (const engine of ['sqlite', 'postgres'] as const) {
  test(`[${engine}] with tokens a woken agent has its own name for the turn, and not the store’s password`, () =>
    awake(engine, { args: TOKENS, env: { PGPASSWORD: 'secret' } }, async (scene) => {
      const { server, store, env, letGo } = scene
      expect(env.INBOX_URL).toBe(server.url)
      const me = await asks(server, env.INBOX_TOKEN)
      expect(me).toMatchObject({ status: 200, body: { principal: { kind: 'agent', name: 'ann' } } })
      const sent = { from: 'bob', to: 'ann', body: 'Not me' }
      const call = { token: env.INBOX_TOKEN ?? '' }
      expect((await byPort(server, '/api/ops/mail-send', sent, call)).status).toBe(403)
      const password = store.engine === 'sqlite' ? '' : new URL(store.address).password
      if (password !== '') {
        expect(JSON.stringify(env)).not.toContain(password)
        expect(env).not.toHaveProperty('PGPASSWORD')
        expect(env.INBOX_DB).toContain('postgres://')
      }
      letGo()
      await until(async () => (await states(server)).every(isOver), 'its turn is over')
      expect((await asks(server, env.INBOX_TOKEN)).status).toBe(401)
      const { body } = await op(server, 'token-list', { all: true })
      const [token] = body.tokens as object[]
      expect(token).toMatchObject({ state: 'revoked', label: env.INBOX_WAKE, issued_by: 'system' })
      const { body: doctor } = await op(server, 'doctor')
      expect(doctor.findings).toContainEqual(expect.objectContaining({ check: 'log', ok: true }))
    }))

  test(`[${engine}] its token ends with the wake if its supervisor is killed`, () =>
    awake(engine, { args: TOKENS }, async ({ server, store, env, pid }) => {
      process.kill(parentOf(pid) as number, 'SIGKILL')
      expect((await asks(server, env.INBOX_TOKEN)).status).toBe(200)
      await store.clock.advance(LAPSED)
      await op(server, 'send', { to: 'nobody', subject: 'time has passed' })
      await until(async () => (await states(server)).includes('lost'), 'it is lost')
      expect((await asks(server, env.INBOX_TOKEN)).status).toBe(401)
    }))

  test(`[${engine}] its token expires if both supervisor and server are killed`, () =>
    awake(engine, { args: TOKENS }, async ({ server, store, env, pid }) => {
      process.kill(parentOf(pid) as number, 'SIGKILL')
      server.signal('SIGKILL')
      await server.exited
      const next = await start({ db: [store.address], args: [...TOKENS, '--no-wake'] })
      expect((await asks(next, env.INBOX_TOKEN)).status).toBe(200)
      await store.clock.advance(TURN + LAPSED)
      expect((await asks(next, env.INBOX_TOKEN)).status).toBe(401)
      await next.stop()
    }))
}

test('without tokens a woken agent gets every variable and the store, but no token', () =>
  awake('postgres', { env: { API_KEY: 'key', PGPASSWORD: 'x' } }, async ({ store, env }) => {
    expect(env).toMatchObject({ API_KEY: 'key', PGPASSWORD: 'x', INBOX_DB: store.address })
    for (const name of ['INBOX_TOKEN', 'INBOX_URL', 'INBOX_WAKE_TOKEN', 'INBOX_WAKE_AROUND']) {
      expect(env).not.toHaveProperty(name)
    }
  }))

test('passes the variables named in --wake-env, and those every program needs', () => {
  const given = { API_KEY: 'a', AWS_ONE: '1', AWS_TWO: '2', OTHER: 'o', LC_TIME: 'C', TZ: 'UTC' }
  const args = ['--wake-env', 'API_KEY,AWS_*']
  return awake('sqlite', { args, env: given }, async ({ env }) => {
    const { OTHER: _, ...named } = given
    expect(env).toMatchObject({ ...named, INBOX_AGENT: 'ann' })
    for (const name of ['PATH', 'HOME', 'XDG_RUNTIME_DIR', 'INBOX_DB', 'INBOX_WAKE']) {
      expect(env).toHaveProperty(name)
    }
    expect(env).not.toHaveProperty('OTHER')
  })
})

test('refuses an invalid variable name before serving', async () => {
  const { code, answer } = await refused({ args: ['--wake-env', 'A,B=C'] })
  expect({ code, answer }).toMatchObject({ code: 30, answer: { error: { code: 'invalid_input' } } })
})
