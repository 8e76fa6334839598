// Tests authentication and authorization in cases that doors alone don't reach: secrets, clocks and races.

import { expect } from 'bun:test'
import { mkdir, realpath } from 'node:fs/promises'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type { Mailroom } from '../../src/bin/compose.ts'
import { Refusal } from '../../src/core/error.ts'
import { composeToken, SECRET_BYTES, tokenIdIn } from '../../src/core/identity/token.ts'
import type { Principal } from '../../src/core/principal.ts'
import { connect } from '../../src/index.ts'
import { call } from '../../src/ops/call.ts'
import { identify, identifySession, redeemCode } from '../../src/ops/identity/identify.ts'
import { operationNamed } from '../../src/ops/known-caller.ts'
import { compileMigration } from '../../src/store/compile.ts'
import { MIGRATIONS } from '../../src/store/migrations.gen.ts'
import { SCHEMA_VERSION } from '../../src/store/schema-version.gen.ts'
import { APPLICATION_ID } from '../../src/store/sqlite/connection.ts'
import { DAWN, freshStore } from '../worlds/store.ts'
import { contract, contractUnmade, type Place } from './engines.ts'

const DAY = 86_400

async function scene(place: Place) {
  const room = await place.open()
  await place.clock.set(DAWN)
  const inbox = await place.connect()
  const secret = async (input: Parameters<typeof inbox.tokenIssue>[0]) =>
    (await inbox.tokenIssue(input)).token as string
  const code = async () => (await inbox.signIn({})).code as string
  return { room, store: room.store, inbox, secret, code }
}

contract('identifies a caller and its limits by the token', async (place) => {
  const { store, inbox, secret } = await scene(place)
  const text = await secret({ name: 'ann' })
  expect(await identify(store, text)).toEqual({
    kind: 'agent',
    name: 'ann',
    proof: 'token',
    token_id: tokenIdIn(text) as string,
  })
  const { workspace } = await inbox.workspaceAdd({ path: place.folder, label: 'app' })
  const { workspace_id } = workspace
  const narrow = await secret({ workspace: workspace_id, sets: ['workspace'] })
  expect(await identify(store, narrow)).toMatchObject({
    kind: 'agent',
    name: 'app',
    workspace_id,
    sets: ['workspace'],
  })
  expect(await identify(store, await secret({ name: 'user' }))).toMatchObject({
    kind: 'person',
    name: 'user',
  })
  expect(await identify(store, await secret({ name: 'ci', service: true }))).toMatchObject({
    kind: 'service',
    name: 'ci',
  })
})

contract('rejects a token that is wrong in any way', async (place) => {
  const { room, store, inbox, secret, code } = await scene(place)
  const good = await secret({ name: 'ann' })
  // The forged token has the right id, form and checksum.
  const forged = composeToken(tokenIdIn(good) as string, new Uint8Array(SECRET_BYTES))
  const unknown = composeToken(room.makeId('token'), new Uint8Array(SECRET_BYTES))
  const oneTime = await code()
  for (const text of ['', 'mr_', 'x', good.slice(0, -1), `${good}0`, forged, unknown, oneTime]) {
    expect({ text, is: await identify(store, text) }).toEqual({ text, is: null })
    expect(await identifySession(store, text)).toBe(null)
  }
  expect(await identifySession(store, good)).toBe(null)
  expect(await redeemCode(room, good)).toBe(null)
  const short = await secret({ name: 'ann', days: 1 })
  await place.clock.advance(DAY - 1)
  expect(await identify(store, short)).not.toBe(null)
  await place.clock.advance(1)
  expect(await identify(store, short)).toBe(null)
  expect(await identify(store, good)).not.toBe(null)
  await inbox.tokenRevoke({ token: good })
  expect(await identify(store, good)).toBe(null)
})

contract('rejects the token of another store, even one with the same log', async (place) => {
  const { inbox, secret } = await scene(place)
  const text = await secret({ name: 'ann' })
  let log = ''
  const write = async (more: string) => {
    log += more
  }
  const files = { write, read, setAside: () => {}, aside: '' }
  async function* read() {
    yield new TextEncoder().encode(log)
  }
  await inbox.export({}, { files })
  const other = await freshStore(place.engine)
  const copy = await connect(other.address)
  try {
    await copy.import({}, { files })
    expect((await copy.tokenList({})).tokens).toMatchObject([{ state: 'unusable' }])
    const { openMailroom } = await import('../../src/bin/compose.ts')
    const room = await openMailroom(other.address)
    expect(await identify(room.store, text)).toBe(null)
    await room.close()
  } finally {
    await copy.close()
    await other.remove()
  }
})

contract('a sign-in code works once, even if used many times at once', async (place) => {
  const { room, inbox, code } = await scene(place)
  const shown = await code()
  const sessions = await Promise.all(Array.from({ length: 8 }, () => redeemCode(room, shown)))
  const [session, ...more] = sessions.filter((one) => one !== null)
  expect(more).toEqual([])
  expect(session?.principal).toEqual({
    kind: 'person',
    name: 'user',
    proof: 'session',
    token_id: tokenIdIn(session?.secret as string) as string,
    expires_at: expect.any(String),
  })
  expect(await redeemCode(room, shown)).toBe(null)
  const { findings } = await inbox.doctor({})
  expect(findings.find(({ check }) => check === 'log')).toMatchObject({ ok: true })
})

contract(
  'codes, sessions and tokens expire on time after a write whose clock was ahead',
  async (place) => {
    const { room, store, inbox, secret, code } = await scene(place)
    await place.clock.advance(2 * 3600)
    await inbox.agentRegister({ agent: 'ahead' })
    await place.clock.advance(-2 * 3600)
    const late = await code()
    const token = await secret({ name: 'ann', days: 1 })
    const session = await redeemCode(room, await code())
    await place.clock.advance(599.999)
    expect(await identify(store, token)).toMatchObject({ name: 'ann' })
    await place.clock.advance(0.001)
    expect(await redeemCode(room, late)).toBeNull()
    await place.clock.advance(DAY - 600)
    expect(await identify(store, token)).toBeNull()
    await place.clock.advance(29 * DAY)
    expect(await identifySession(store, session?.secret ?? '')).toBeNull()
  },
)

contract('a code is valid for ten minutes, a session for thirty days', async (place) => {
  const { room, store, inbox, code } = await scene(place)
  const late = await code()
  await place.clock.advance(600)
  expect(await redeemCode(room, late)).toBe(null)
  const session = await redeemCode(room, await code())
  const cookie = session?.secret as string
  expect(await identifySession(store, cookie)).toEqual(session?.principal as Principal)
  expect(await identify(store, cookie)).toBe(null)
  await place.clock.advance(30 * DAY - 1)
  expect(await identifySession(store, cookie)).not.toBe(null)
  await place.clock.advance(1)
  expect(await identifySession(store, cookie)).toBe(null)
  const again = await redeemCode(room, await code())
  await inbox.tokenRevoke({ token: again?.principal.token_id as string })
  expect(await identifySession(store, again?.secret as string)).toBe(null)
})

contract('records the use of a token outside the log, at most every ten minutes', async (place) => {
  const { store, inbox, secret } = await scene(place)
  const text = await secret({ name: 'ann' })
  const used = async () => (await inbox.tokenList({})).tokens[0]?.last_used_at ?? null
  const events = await store.lastEventId()
  expect(await used()).toBe(null)
  await identify(store, text)
  expect(await used()).toBe(DAWN)
  await place.clock.advance(599)
  await identify(store, text)
  expect(await used()).toBe(DAWN)
  const later = await place.clock.advance(1)
  await identify(store, text)
  expect(await used()).toBe(later)
  expect(await store.lastEventId()).toBe(events)
})

contract('only people can set fields that give power at a server', async (place) => {
  const { room, inbox } = await scene(place)
  await inbox.personAdd({ name: 'eve' })
  const ann: Principal = { kind: 'agent', name: 'ann', proof: 'token' }
  const eve: Principal = { kind: 'person', name: 'user:eve', proof: 'token' }
  const ci: Principal = { kind: 'service', name: 'ci', proof: 'token' }
  const does = (principal: Principal, name: string, raw = {}) => run(room, principal, name, raw)

  expect(await does(ann, 'agent register', { role: 'builder', status: 'idle' })).toBe('ok')
  const before = await inbox.agentStatus({ agent: 'ann' })
  for (const raw of [
    { role: 'orchestrator' },
    { may_write_to_user: true },
    { wake_command: '["sh"]' },
    { parent: 'ann' },
    { paired_person: 'user' },
    { agent: 'bob' },
  ]) {
    expect({ raw, is: await does(ann, 'agent register', raw) }).toEqual({ raw, is: 'forbidden' })
  }
  expect((await inbox.agentStatus({ agent: 'ann' })).agent).toEqual(before.agent)
  expect(await does(eve, 'agent register', { agent: 'bob', may_write_to_user: true })).toBe('ok')
  // Anyone can see an agent's status. Only the agent itself and people can declare it.
  expect(await does(ann, 'agent status', { agent: 'bob' })).toBe('ok')
  expect(await does(ann, 'agent status', { agent: 'bob', status: 'off' })).toBe('forbidden')
  expect(await does(ci, 'agent status', { agent: 'bob', status: 'off' })).toBe('forbidden')
  expect(await does(eve, 'agent status', { agent: 'bob', status: 'off' })).toBe('ok')

  for (const principal of [ann, ci]) {
    expect(await does(principal, 'token issue', { name: principal.name })).toBe('forbidden')
    expect(await does(principal, 'token list')).toBe('forbidden')
    expect(await does(principal, 'sign-in')).toBe('forbidden')
    expect(await does(principal, 'workspace add', { path: place.folder })).toBe('forbidden')
  }
  // A person can't make a token or sign-in for another person remotely.
  expect(await does(eve, 'token issue', { name: 'user:eve' })).toBe('ok')
  expect(await does(eve, 'token issue', { name: 'ann' })).toBe('ok')
  expect(await does(eve, 'token issue', { name: 'user' })).toBe('forbidden')
  expect(await does(eve, 'sign-in', { person: 'eve' })).toBe('ok')
  expect(await does(eve, 'sign-in')).toBe('forbidden')
  expect(await does({ kind: 'system', name: 'system', proof: 'claim' }, 'sign-in')).toBe('ok')
})

contract(
  'only the parties, the orchestrator and people can read mail by its thread',
  async (place) => {
    const { room, inbox } = await scene(place)
    await inbox.agentRegister({ agent: 'boss', role: 'orchestrator' })
    const work = await inbox.send({ from: 'ann', to: 'bob', subject: 'Build it' })
    const mail = await inbox.mailSend({ from: 'ann', to: 'bob', type: 'question', body: 'Psst' })
    const thread = mail.message?.thread_id as string
    const sees = (principal: Principal, which: string) =>
      run(room, principal, 'show', { thread: which })
    const agent = (name: string): Principal => ({ kind: 'agent', name, proof: 'token' })
    for (const name of ['ann', 'bob', 'boss']) expect(await sees(agent(name), thread)).toBe('ok')
    expect(await sees({ kind: 'person', name: 'user', proof: 'page' }, thread)).toBe('ok')
    expect(await sees(agent('eve'), thread)).toBe('not_found')
    expect(await sees({ kind: 'service', name: 'ci', proof: 'token' }, thread)).toBe('not_found')
    const wait = { thread, after_event: 0, kinds: ['question'], timeout_seconds: 1 }
    expect(await run(room, agent('eve'), 'wait-reply', wait)).toBe('not_found')
    expect(await run(room, agent('bob'), 'wait-reply', wait)).toBe('ok')
    expect(await sees(agent('eve'), work.thread.thread_id)).toBe('ok')
  },
)

contract('a server refuses relative paths and writes no files', async (place) => {
  const { room } = await scene(place)
  const user: Principal = { kind: 'person', name: 'user', proof: 'token' }
  const app = join(await realpath(place.folder), 'app')
  await mkdir(app)
  expect(await run(room, user, 'workspace add', { path: 'app' })).toBe('invalid_input')
  expect(await run(room, user, 'workspace add', { path: '../../etc' })).toBe('invalid_input')
  expect(await run(room, user, 'workspace add', { path: app })).toBe('ok')
  expect(await run(room, user, 'backup', { file: join(app, 'copy.db') })).toBe('not_found')
})

contractUnmade('migrates a store from before tokens existed', async (place) => {
  await makeSecondSchema(place)
  const inbox = await place.connect()
  const { findings } = await inbox.doctor({})
  expect(findings.find(({ check }) => check === 'log')).toMatchObject({
    ok: true,
    detail: expect.stringContaining('1 events replayed'),
  })
  expect((await inbox.agentList({})).agents).toMatchObject([{ agent_id: 'ann', role: 'builder' }])
  const { token } = await inbox.tokenIssue({ name: 'ann' })
  const { store } = await place.open()
  expect(await identify(store, token as string)).toMatchObject({ name: 'ann' })
  await inbox.workspaceAdd({ path: place.folder })
  const after = await inbox.doctor({})
  expect(after.findings.find(({ check }) => check === 'log')).toMatchObject({ ok: true })
  expect(await place.sql('select max(number) as n from migrations')).toEqual([
    { n: SCHEMA_VERSION },
  ])
})

/** Makes a call as a known caller. Returns `ok` or the refusal's code. */
async function run(room: Mailroom, principal: Principal, name: string, raw: object) {
  const { signal } = new AbortController()
  try {
    const op = await operationNamed(name)
    const called = await call(room, { op, principal, raw: { ...raw }, door: 'http', signal })
    await called.afterAnswer()
    return 'ok'
  } catch (error) {
    if (error instanceof Refusal) return error.code
    throw error
  }
}

/** Creates a store as the previous version left it: two migrations, and one agent in the tables and the log. */
async function makeSecondSchema({ engine, address, sql }: Place): Promise<void> {
  const old = MIGRATIONS.slice(0, 2)
  const text = [
    ...old.map((migration) => compileMigration(migration.text, engine)),
    `create table migrations (number bigint primary key, name text not null, breaking bigint not null);`,
    ...old.map(
      ({ number, name, breaking }) =>
        `insert into migrations values (${number}, '${name}', ${breaking ? 1 : 0});`,
    ),
  ].join('\n')
  if (engine === 'postgres') {
    await sql(`create schema ${new URL(address).searchParams.get('schema')}`)
    await sql(text)
  } else {
    const db = new DatabaseSync(address)
    db.exec(text)
    db.exec(`pragma application_id = ${APPLICATION_ID}; pragma user_version = 2`)
    db.close()
  }
  const facts = {
    agent_id: 'ann',
    role: 'builder',
    parent_agent_id: null,
    paired_person: null,
    source: 'agent',
    may_write_to_user: false,
    wake: {},
  }
  await sql(
    `insert into events (run_id, task_id, thread_id, source, event_type, agent, status, summary,
       payload_json, created_at) values ('', '', '', 'inbox', 'agent_register', 'ann', '', '', ?, ?)`,
    JSON.stringify(facts),
    DAWN,
  )
  await sql(
    `insert into agents (agent_id, role, registered_at, updated_at) values ('ann', 'builder', ?, ?)`,
    DAWN,
    DAWN,
  )
}
