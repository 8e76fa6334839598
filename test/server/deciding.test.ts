// Tests who can decide a request on a server, and that the same attack works on a file that agents can write.

import { beforeAll, describe, expect, test } from 'bun:test'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { runProgram } from '../worlds/program.ts'
import { byPort, op, type Running, servers, signedIn, tokenFor } from './serving.ts'

const { start, folder } = servers()
let server: Running
let cookie: string
let ann: string

beforeAll(async () => {
  server = await start({ args: ['--auth', 'tokens'] })
  ann = await tokenFor(server, { name: 'ann' })
  await op(server, 'person-add', { name: 'eve' })
  cookie = (await signedIn(server)).session.cookie
})

type Shown = { status: string; decided_by: string | null }

async function asked(more: object = {}): Promise<string> {
  const wish = { type: 'chore', title: 'May I?', ...more }
  const { body } = await byPort(server, '/api/ops/request-create', wish, { token: ann })
  return String(body.request_id)
}

/** Decides over the port, as the caller these headers identify. */
function decides(request: string, call: object, name = 'approve', more: object = {}) {
  return byPort(server, `/api/ops/${name}`, { request, revision: 1, ...more }, call)
}

async function shown(request: string, call: object = {}) {
  const { body } = await byPort(server, '/api/ops/request-get', { request }, call)
  return body as { request: Shown; actions: string[] }
}

describe('a request is decided', () => {
  test('by a person over the socket, with a token, or with a token limited to requests', async () => {
    const token = await tokenFor(server, { name: 'user' })
    const limited = await tokenFor(server, { name: 'user', sets: ['requests'] })
    for (const own of [token, limited]) {
      const request = await asked()
      expect((await shown(request, { token: own })).actions).toContain('approve')
      const { body } = await decides(request, { token: own })
      expect(body).toMatchObject({ status: 'approved', decided_by: 'user' })
    }
    const { body } = await op(server, 'reject', { request: await asked(), revision: 1 })
    expect(body).toMatchObject({ status: 'rejected', decided_by: 'user' })
    const other = await tokenFor(server, { name: 'user', sets: ['mailbox'] })
    expect((await decides(await asked(), { token: other })).status).toBe(403)
  })

  test('by a service that a person authorized, in the service’s name', async () => {
    const token = await tokenFor(server, { name: 'desk', service: true, may: ['decide'] })
    const request = await asked()
    expect((await shown(request, { token })).actions).toEqual([
      'approve',
      'reject',
      'request_revision',
    ])
    const { body } = await decides(request, { token }, 'approve', { notes: 'Go on' })
    expect(body).toMatchObject({ status: 'approved', decided_by: 'desk' })
    const mail = await byPort(server, '/api/ops/mail-peek', {}, { token: ann })
    expect(mail.text).toContain('approved: Go on')
    // A service doesn't count as a person named in a policy, and isn't exempt as the requester.
    const named = await asked({ policy: 'named', deciders: ['user'] })
    expect((await decides(named, { token })).status).toBe(403)
    expect((await shown(named, { token })).actions).toEqual([])
    const { body: own } = await byPort(
      server,
      '/api/ops/request-create',
      { type: 'chore', title: 'Mine', policy: 'not_requester' },
      { token },
    )
    expect((await decides(String(own.request_id), { token })).status).toBe(403)
    // The log records that a service decided, and it can be imported.
    const log = (await op(server, 'export', {})).text
    expect(log).toContain('by_service')
    const home = folder()
    writeFileSync(join(home, 'log.ndjson'), log)
    const imported = await runProgram(['import', 'log.ndjson', '--json', '--db', 'other.db'], {
      folder: home,
    })
    expect(JSON.parse(imported.stdout)).toMatchObject({ ok: true, rejected: [] })
  })

  test('not by an unauthorized service, an agent, or a browser with only a cookie', async () => {
    const ci = await tokenFor(server, { name: 'ci', service: true })
    const page = { headers: { cookie, origin: server.url } }
    const request = await asked()
    for (const [call, word] of [
      [{ token: ci }, 'token-issue'],
      [{ token: ann }, 'is not for agents'],
      [page, 'browser'],
    ] as const) {
      for (const name of ['approve', 'reject', 'request-revision']) {
        const notes = { notes: 'x' }
        const { status, text } = await decides(request, call, name, notes)
        expect({ status, text }).toEqual({ status: 403, text: expect.stringContaining(word) })
      }
      // `actions` lists only what would be accepted. A cookie alone can't even read the request.
      if (call === page) {
        const seen = { request }
        expect((await byPort(server, '/api/ops/request-get', seen, call)).status).toBe(403)
        continue
      }
      const { actions } = await shown(request, call)
      expect(actions.filter((one) => one !== 'cancel' && one !== 'resubmit')).toEqual([])
    }
    expect((await shown(request, { token: ann })).request.status).toBe('pending')
    // A cookie can't set up a decision on expiry either.
    const wish = { type: 'chore', title: 'By itself', on_expiry: 'approve', expires_seconds: 60 }
    for (const call of [{ token: ci }, { token: ann }, page]) {
      expect((await byPort(server, '/api/ops/request-create', wish, call)).status).toBe(403)
    }
    const token = await tokenFor(server, { name: 'user' })
    const made = await byPort(server, '/api/ops/request-create', wish, { token })
    const own = String(made.body.request_id)
    await decides(own, { token }, 'request-revision', { notes: 'Less' })
    const again = { request: own, revision: 1, title: 'Other' }
    expect((await byPort(server, '/api/ops/resubmit', again, page)).status).toBe(403)
    expect((await byPort(server, '/api/ops/resubmit', again, { token })).status).toBe(200)
    const grants = [
      { name: 'ann', may: ['decide'] },
      { name: 'user', may: ['decide'] },
    ]
    for (const input of grants) {
      expect((await op(server, 'token-issue', input)).status).toBe(400)
    }
  })

  test('not with a token of another store', async () => {
    const other = await start({ args: ['--auth', 'tokens'] })
    const request = await asked()
    const token = await tokenFor(other, { name: 'user' })
    expect((await decides(request, { token })).status).toBe(401)
    const { status } = await byPort(other, '/api/ops/approve', { request, revision: 1 }, { token })
    expect(status).toBe(404)
  })
})

describe('a request that is approved on expiry', () => {
  const wish = { type: 'chore', title: 'May I?', expires_seconds: 1, on_expiry: 'approve' }
  const made = (call: object, more: object = {}) =>
    byPort(server, '/api/ops/request-create', { ...wish, ...more }, call)

  test('can be created by a person, over the socket or with a token', async () => {
    const token = await tokenFor(server, { name: 'user' })
    expect((await made({ token })).status).toBe(200)
    expect((await op(server, 'request-create', { ...wish, agent: 'user' })).status).toBe(200)
  })

  test('cannot be created by an agent, a service, or a browser session', async () => {
    const desk = await tokenFor(server, { name: 'bell', service: true, may: ['decide'] })
    const attacks = [
      () => made({ token: ann }),
      () => made({ token: ann }, { agent: 'user' }),
      () => made({ token: ann, as: 'user' }),
      () => made({ token: desk }),
      () => made({ headers: { cookie } }),
    ]
    for (const attack of attacks) expect((await attack()).status).toBeOneOf([400, 401, 403])
    // The same calls are accepted when expiry rejects instead.
    expect((await made({ token: ann }, { on_expiry: 'reject' })).status).toBe(200)
  })
})

describe('a held decision', () => {
  test('can be undone by the person who made it, but not by a cookie, an agent, or a service', async () => {
    const token = await tokenFor(server, { name: 'user' })
    const desk = await tokenFor(server, { name: 'phone', service: true, may: ['decide'] })
    const request = await asked()
    const grace = { grace_seconds: 60 }
    expect((await decides(request, { token: desk }, 'approve', grace)).status).toBe(400)
    expect((await decides(request, { token }, 'approve', grace)).status).toBe(200)
    const undoes = (call: object) => byPort(server, '/api/ops/undo-decision', { request }, call)
    for (const call of [{ token: ann }, { token: desk }, { headers: { cookie } }]) {
      expect((await undoes(call)).status).toBe(403)
    }
    expect((await shown(request, { token: ann })).request).toMatchObject({ status: 'pending' })
    expect((await undoes({ token })).body).toMatchObject({ status: 'pending' })
  })
})

describe('an agent that claims to be a person', () => {
  test('can decide on a local file, which it can write anyway', async () => {
    const home = folder()
    const around = { folder: home }
    const db = ['--db', join(home, 'store.db')]
    const made = await runProgram(
      [
        'request',
        'create',
        '--agent',
        'ann',
        '--type',
        'chore',
        '--title',
        'May I?',
        '--json',
        ...db,
      ],
      around,
    )
    const { request_id } = JSON.parse(made.stdout)
    const honest = ['approve', '--agent', 'ann', request_id, '--revision', '1', '--json', ...db]
    expect(JSON.parse((await runProgram(honest, around)).stdout).error.code).toBe('forbidden')
    const cheat = ['approve', '--agent', 'user', request_id, '--revision', '1', '--json', ...db]
    const { stdout, exit } = await runProgram(cheat, around)
    expect(exit).toBe(0)
    expect(JSON.parse(stdout)).toMatchObject({ status: 'approved', decided_by: 'user' })
  })

  test('cannot decide at a server', async () => {
    const request = await asked()
    const attacks = [
      () => decides(request, { token: ann }, 'approve', { agent: 'user' }),
      () => decides(request, { token: ann, as: 'user' }),
      () => decides(request, { as: 'user' }),
      () => decides(request, { as: 'ann' }),
      () => decides(request, {}),
      () => decides(request, { headers: { cookie } }),
    ]
    for (const attack of attacks) expect((await attack()).status).toBeOneOf([400, 401, 403])
    expect((await shown(request, { token: ann })).request).toMatchObject({
      status: 'pending',
      decided_by: null,
    })
  })
})
