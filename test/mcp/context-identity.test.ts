// Which callers may use an instance's tools, at its own server and at `inbox serve`.

import { describe, expect, test } from 'bun:test'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { openInstanceServer } from '../../src/bin/instance-server.ts'
import { ask } from '../program/process.ts'
import { begin } from '../worlds/instances.ts'
import { contextScene } from './context-scene.ts'

const scene = contextScene()

const LIST = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} })
const USUAL = {
  accept: 'application/json, text/event-stream',
  'content-type': 'application/json',
}

type Told = { status: number; text: string; headers: Headers }

async function post(
  at: 'socket' | 'port' | 'serve',
  headers: Record<string, string>,
  path = '',
): Promise<Told> {
  const { socket, url } = scene.context()
  const served = `${scene.server().url}/mcp/instance/pr-1`
  const where = { socket: 'http://localhost/mcp', port: url, serve: served }[at]
  const unix = at === 'socket' ? { unix: socket } : {}
  const init = { method: 'POST', headers: { ...USUAL, ...headers }, body: LIST, ...unix }
  const response = await fetch(where + path, init)
  return { status: response.status, text: await response.text(), headers: response.headers }
}

const WAYS = ['socket', 'port', 'serve'] as const

async function tokenFor(name: string, ...more: string[]): Promise<string> {
  const args = ['token', 'issue', name, ...more, '--db', scene.db]
  const { token } = (await ask(args, { folder: scene.here })) as unknown as { token: string }
  return token
}

describe.each([...WAYS])('at the %s', (at) => {
  test.each([
    ['the full name', { 'x-agent-id': 'coder@pr-1' }, ''],
    ['the name in the file', { 'x-agent-id': 'coder' }, ''],
    ['the usual header', { 'x-inbox-agent': 'coder@pr-1' }, ''],
    ['the address', {}, '?agent=reviewer'],
    ['two names for one', { 'x-agent-id': 'coder', 'x-inbox-agent': 'coder@pr-1' }, ''],
  ])('an agent is identified by %s', async (_, headers, path) => {
    const told = await post(at, headers as Record<string, string>, path)
    expect([told.status, told.text]).toEqual([200, expect.stringContaining('"tools"')])
  })

  test('a caller without a name is refused', async () => {
    const told = await post(at, {})
    expect(told.status).toBe(401)
    expect(told.headers.get('www-authenticate')).toStartWith('Bearer')
    expect(told.text).toContain('X-Agent-Id: NAME@pr-1')
  })

  test.each([
    ['coder@pr-2', 403, 'coder@pr-2 is an agent of pr-2, and this is the address of pr-1'],
    ['stranger', 403, 'stranger takes no part in pr-1; its agents are reviewer@pr-1, coder@pr-1'],
    ['user', 403, 'user takes no part in pr-1'],
    ['a b', 400, 'X-Agent-Id is not the name of an agent'],
    ['', 400, 'X-Agent-Id is not the name of an agent'],
  ])('%j is refused', async (name, status, why) => {
    const told = await post(at, { 'x-agent-id': name })
    expect([told.status, told.text]).toEqual([status, expect.stringContaining(why)])
  })

  test('two different names are refused, even if one is valid', async () => {
    const told = await post(at, { 'x-agent-id': 'coder' }, '?agent=reviewer')
    expect([told.status, told.text]).toEqual([403, expect.stringContaining('different agents')])
  })

  test('a token identifies its agent, and no header overrides it', async () => {
    const token = await tokenFor('coder@pr-1')
    const authorization = `Bearer ${token}`
    expect((await post(at, { authorization })).status).toBe(200)
    expect((await post(at, { authorization, 'x-agent-id': 'coder' })).status).toBe(200)
    const forged = await post(at, { authorization, 'x-agent-id': 'reviewer' })
    expect([forged.status, forged.text]).toEqual([
      403,
      expect.stringContaining('your token says that you are coder@pr-1'),
    ])
    const bad = { authorization: `${authorization}x`, 'x-agent-id': 'coder' }
    expect((await post(at, bad)).status).toBe(401)
  })

  test('tokens of another instance’s agent, or of a person, are refused', async () => {
    const other = await post(at, { authorization: `Bearer ${await tokenFor('coder@pr-2')}` })
    expect([other.status, other.text]).toEqual([
      403,
      expect.stringContaining('not an agent of pr-1'),
    ])
    const user = await tokenFor('user')
    expect((await post(at, { authorization: `Bearer ${user}` })).status).toBe(403)
  })

  test('other sets cannot be requested', async () => {
    const { text } = await post(at, { 'x-agent-id': 'coder' }, '?sets=mailbox,threads')
    expect(text).not.toContain('send_message')
    expect(text).not.toContain('thread_claim')
  })
})

describe('the instance server has the same guards as inbox serve', () => {
  const coder = { 'x-agent-id': 'coder' }
  test('against foreign hosts and origins, and browsers', async () => {
    expect((await post('port', { ...coder, host: 'evil.test' })).status).toBe(421)
    expect((await post('port', { ...coder, origin: 'http://evil.test' })).status).toBe(403)
    expect((await post('port', { ...coder, 'sec-fetch-site': 'cross-site' })).status).toBe(403)
    expect((await post('socket', { ...coder, origin: 'http://localhost' })).status).toBe(403)
  })

  test('it serves only the tools and /healthz', async () => {
    const { url, socket } = scene.context()
    const origin = new URL(url).origin
    const at = (path: string, init: object = {}) =>
      fetch(`${origin}${path}`, { headers: coder, ...init })
    expect(await (await at('/healthz')).json()).toMatchObject({ ok: true, instance: 'pr-1' })
    for (const path of ['/', '/api/me', '/api/openapi.json', '/metrics', '/sign-in', '/inbox']) {
      expect([path, (await at(path)).status]).toEqual([path, 404])
    }
    const ops = { method: 'POST', body: '{}', headers: { ...USUAL, ...coder } }
    expect((await at('/api/ops/mail-read', ops)).status).toBe(404)
    expect((await post('port', coder, '/anything/below')).status).toBe(200)
    const health = await fetch('http://localhost/healthz', { unix: socket })
    expect(await health.json()).toMatchObject({ instance: 'pr-1', url: origin })
  })

  test('GET opens a stream only if the client accepts one, and DELETE is not allowed', async () => {
    const { url } = scene.context()
    expect((await fetch(url, { headers: { ...coder, accept: 'application/json' } })).status).toBe(
      406,
    )
    expect((await fetch(url, { headers: { accept: 'text/event-stream' } })).status).toBe(401)
    expect((await fetch(url, { method: 'DELETE', headers: coder })).status).toBe(405)
  })
})

test('an unknown instance is not found', async () => {
  const init = { method: 'POST', headers: { ...USUAL, 'x-agent-id': 'coder' }, body: LIST }
  const response = await fetch(`${scene.server().url}/mcp/instance/nothing`, init)
  expect(response.status).toBe(404)
  expect(await response.text()).toContain('see /api/ops/workflow-list')
})

test('with --auth tokens a name alone works on the socket, but not on the port', async () => {
  const dir = join(scene.here, '.workflow', 'pr-3')
  mkdirSync(dir)
  const { close: _, ...house } = scene.mailroom()
  await begin(house, { instance: 'pr-3', dir })
  const context = await openInstanceServer({
    house,
    instance: 'pr-3',
    dir,
    runtimeFolder: join(scene.here, 'run'),
    auth: 'tokens',
  })
  const headers = { ...USUAL, 'x-agent-id': 'coder' }
  const init = { method: 'POST', headers, body: LIST }
  expect((await fetch(context.url, init)).status).toBe(401)
  const unix = { ...init, unix: context.socket }
  expect((await fetch('http://localhost/mcp', unix)).status).toBe(200)
  await context.close()
})
