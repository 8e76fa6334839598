// Tests how the server identifies each caller.

import { beforeAll, describe, expect, test } from 'bun:test'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { freshStore } from '../worlds/store.ts'
import { type Answer, byPort, bySocket, op, type Running, servers, tokenFor } from './serving.ts'

const { start, folder } = servers()
let local: Running
let strict: Running
beforeAll(async () => {
  local = await start()
  strict = await start({ args: ['--auth', 'tokens'] })
})

function me(server: Running, call: Parameters<typeof byPort>[3] = {}): Promise<Answer> {
  return byPort(server, '/api/me', undefined, call)
}

const AS_BOB = { principal: { kind: 'agent', name: 'bob' } }

describe('a token', () => {
  test('identifies its caller, and a different name next to it is refused', async () => {
    const token = await tokenFor(strict, { name: 'bob' })
    expect((await me(strict, { token })).body).toMatchObject(AS_BOB)
    expect((await me(strict, { token, as: 'bob' })).body).toMatchObject(AS_BOB)
    expect((await me(strict, { token, as: 'eve' })).status).toBe(403)
    const hello = initialize()
    const headers = { accept: 'application/json, text/event-stream' }
    const mcp = (agent: string) => byPort(strict, `/mcp?agent=${agent}`, hello, { token, headers })
    expect([(await mcp('bob')).status, (await mcp('eve')).status]).toEqual([200, 403])
    const post = { to: 'worker', subject: 'Hi' }
    const sent = await byPort(strict, '/api/ops/send?agent=eve', post, { token })
    expect(sent.body).toMatchObject({ thread: { created_by: 'bob' } })
  })

  test('is refused immediately after it is revoked, even with a name', async () => {
    const token = await tokenFor(local, { name: 'bob' })
    expect((await me(local, { token })).status).toBe(200)
    await op(local, 'token-revoke', { token })
    const refused = await me(local, { token, as: 'bob' })
    expect({ status: refused.status, code: refused.body.error }).toMatchObject({
      status: 401,
      code: { code: 'unauthenticated' },
    })
    expect(refused.headers.get('www-authenticate')).toContain('invalid_token')
  })

  test('ends its own streams, and no others, when revoked', async () => {
    const [token, other] = [
      await tokenFor(strict, { name: 'bob' }),
      await tokenFor(strict, { name: 'bob' }),
    ]
    const open = async (secret: string) => {
      const headers = { authorization: `Bearer ${secret}` }
      return (await fetch(`${strict.url}/api/events`, { headers })).text()
    }
    const isOver = { token: false, other: false }
    const ending = open(token).then(() => {
      isOver.token = true
    })
    void open(other)
      .then(() => {
        isOver.other = true
      })
      .catch(() => {})
    for (;;) {
      const { text } = await bySocket(strict, '/metrics')
      if (/^inbox_streams 2$/m.test(text)) break
    }
    await op(strict, 'token-revoke', { token })
    await ending
    expect(isOver).toEqual({ token: true, other: false })
  })

  test('is refused with one character changed', async () => {
    const token = await tokenFor(local, { name: 'bob' })
    for (const at of [5, 40, token.length - 1]) {
      const letter = token[at] === 'a' ? 'b' : 'a'
      const wrong = token.slice(0, at) + letter + token.slice(at + 1)
      expect((await me(local, { token: wrong })).status).toBe(401)
    }
  })

  test('is refused after it expires, and its stream ends', async () => {
    const store = await freshStore('sqlite')
    const server = await start({ db: [store.address], args: ['--auth', 'tokens'] })
    await store.clock.set(new Date().toISOString())
    const token = await tokenFor(server, { name: 'bob', days: 1 })
    const headers = { authorization: `Bearer ${token}` }
    const stream = await fetch(`${server.url}/api/events`, { headers })
    expect(stream.status).toBe(200)
    await store.clock.advance(2 * 86_400)
    expect((await me(server, { token })).status).toBe(401)
    // The stream ends at the next heartbeat.
    await stream.text()
    await server.stop()
    await store.remove()
  })

  test('for a person permits what people can do, and only people can issue it', async () => {
    const token = await tokenFor(strict, { name: 'user' })
    expect((await byPort(strict, '/api/ops/prune', { dry_run: true }, { token })).status).toBe(200)
    const agents = await tokenFor(strict, { name: 'bob' })
    const made = await byPort(strict, '/api/ops/token-issue', { name: 'user' }, { token: agents })
    expect(made.status).toBe(403)
  })
})

describe('with --auth tokens', () => {
  test('refuses claimed names at every address that needs identity', async () => {
    for (const path of ['/api/me', '/api/events', '/api/inbox/history', '/metrics']) {
      const { status } = await byPort(strict, path, undefined, { as: 'bob' })
      expect({ path, status }).toEqual({ path, status: 401 })
    }
    for (const path of ['/api/ops/list', '/mcp', '/mcp?agent=bob', '/mcp/ws_none']) {
      const { status } = await byPort(strict, path, {}, { as: 'bob' })
      expect({ path, status }).toEqual({ path, status: 401 })
    }
  })

  test('still allows everything over the socket, which is as good as the file', async () => {
    expect((await op(strict, 'list')).status).toBe(200)
  })
})

describe('on this machine', () => {
  test('accepts a name as an agent’s, never as a person’s', async () => {
    expect((await me(local, { as: 'bob' })).body).toMatchObject(AS_BOB)
    for (const as of ['user', 'user:ann', 'system', 'broadcast', 'role:x', '', 'a b']) {
      const { status } = await me(local, { headers: { 'x-inbox-agent': as } })
      expect({ as, status: status >= 400 }).toEqual({ as, status: true })
    }
  })

  test('a workspace’s address implies its agent, and an unknown workspace is not found', async () => {
    const path = join(folder(), 'site')
    mkdirSync(path)
    const { body } = await op(local, 'workspace-add', { path, label: 'Site' })
    const { workspace_id } = body.workspace as { workspace_id: string }
    const hello = initialize()
    const headers = { accept: 'application/json, text/event-stream' }
    const there = await byPort(local, `/mcp/${workspace_id}`, hello, { headers })
    expect({ status: there.status, text: there.text }).toMatchObject({
      status: 200,
      text: expect.stringContaining('You are Site here'),
    })
    expect((await byPort(local, '/mcp/ws_none', hello, { headers })).status).toBe(404)
    const token = await tokenFor(local, { name: 'bob' })
    const other = await byPort(local, `/mcp/${workspace_id}`, hello, { headers, token })
    // Models read instructions, but not the reason a connection was refused.
    expect([other.status, other.text]).toEqual([
      200,
      expect.stringContaining('your token is not for it'),
    ])
    const own = await tokenFor(local, { name: 'bob', workspace: workspace_id })
    expect(
      (await byPort(local, `/mcp/${workspace_id}`, hello, { headers, token: own })).status,
    ).toBe(200)
  })
})

function initialize(): object {
  const clientInfo = { name: 'test', version: '1' }
  const params = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo }
  return { jsonrpc: '2.0', id: 1, method: 'initialize', params }
}

describe('a browser', () => {
  const form = (code: string) => ({
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams({ code }).toString(),
    redirect: 'manual' as const,
  })
  const codeIn = (link: string) => new URL(link).searchParams.get('code') ?? ''

  test('signs in with a link once, and opening the link does not use it up', async () => {
    const server = await start()
    const code = codeIn(server.signIn)
    const looked = await fetch(server.signIn)
    expect(await looked.text()).toContain('<form method="post" action="/sign-in">')
    const entered = await fetch(`${server.url}/sign-in`, form(code))
    expect(entered.status).toBe(303)
    // The page key follows the #, so it is never in a request or a log.
    const [to, key = ''] = entered.headers.get('location')?.split('#key=') ?? []
    expect(to).toBe('/')
    const set = entered.headers.get('set-cookie') ?? ''
    expect(set).toContain('HttpOnly; SameSite=Strict; Path=/')
    expect((await fetch(`${server.url}/sign-in`, form(code))).status).toBe(401)
    const cookie = set.split(';')[0] as string
    const who = await byPort(server, '/api/me', undefined, { headers: { cookie } })
    expect(who.body).toMatchObject({
      principal: { kind: 'person', name: 'user', proof: 'session' },
    })
    const withKey = (pageKey: string) =>
      byPort(server, '/api/me', undefined, { headers: { cookie, 'x-inbox-page-key': pageKey } })
    expect((await withKey(key)).body).toMatchObject({ principal: { proof: 'page' } })
    expect((await withKey(cookie.slice(cookie.indexOf('=') + 1))).status).toBe(401)
    // A session doesn't work as a token, and a token doesn't work as a session.
    const secret = cookie.slice(cookie.indexOf('=') + 1)
    expect((await me(server, { token: secret })).status).toBe(401)
    const leave = (headers: Record<string, string>) =>
      fetch(`${server.url}/sign-out`, {
        ...form(''),
        headers: { ...form('').headers, cookie, ...headers },
      })
    expect((await leave({})).status).toBe(403)
    const out = await leave({ origin: server.url })
    expect(out.status).toBe(303)
    expect(out.headers.get('set-cookie')).toContain('Max-Age=0')
    const after = await byPort(server, '/api/me', undefined, { headers: { cookie } })
    expect(after.status).toBe(401)
  })

  test('that is not signed in sees how to sign in', async () => {
    const page = await fetch(`${local.url}/sign-in`)
    expect({ status: page.status, says: await page.text() }).toMatchObject({
      status: 200,
      says: expect.stringContaining('inbox sign-in --server'),
    })
  })

  test('with a used or invalid link is told so before it sees a button', async () => {
    const { body } = await op(local, 'sign-in', {})
    const at = async (code: string) => {
      const page = await fetch(`${local.url}/sign-in?code=${code}`)
      return { status: page.status, text: await page.text() }
    }
    const good = await at(String(body.code))
    expect(good).toMatchObject({ status: 200, text: expect.stringContaining('<button') })
    expect((await fetch(`${local.url}/sign-in`, form(String(body.code)))).status).toBe(303)
    for (const code of [String(body.code), 'mr_nonsense']) {
      const { status, text } = await at(code)
      expect({ status, hasButton: text.includes('<button') }).toEqual({
        status: 401,
        hasButton: false,
      })
      expect(text).toContain('inbox sign-in --server')
    }
  })

  test('can use a code only once, even in concurrent requests', async () => {
    const { body } = await op(local, 'sign-in', {})
    const tries = await Promise.all(
      Array.from({ length: 8 }, () => fetch(`${local.url}/sign-in`, form(String(body.code)))),
    )
    expect(tries.map(({ status }) => status).sort()).toEqual([303, ...Array(7).fill(401)])
  })

  test('cannot use a code of another store', async () => {
    const { body } = await op(strict, 'sign-in', {})
    expect((await fetch(`${local.url}/sign-in`, form(String(body.code)))).status).toBe(401)
  })
})

describe('several stores', () => {
  test('are separate, and a token works only for its own', async () => {
    const home = folder()
    const both = await start({ db: [join(home, 'a.db'), join(home, 'b.db')] })
    const [a, b] = both.stores.map(({ socket }) => ({ ...both, socket })) as [Running, Running]
    expect(new Set(both.stores.map(({ socket }) => socket)).size).toBe(2)
    const token = await tokenFor(a, { name: 'bob' })
    await op(a, 'send', { to: 'bob', subject: 'In a' })
    await op(b, 'send', { to: 'bob', subject: 'In b' })
    const seen = await byPort(both, '/api/ops/fetch', {}, { token })
    expect(seen.body.threads).toMatchObject([{ subject: 'In a' }])
    // The token gives no access over the other store's socket.
    expect((await op(b, 'fetch', {}, { token })).status).toBe(401)
    // A name alone doesn't say which store.
    expect((await byPort(both, '/api/ops/fetch', {}, { as: 'bob' })).status).toBe(401)
    const store = String((await byPort(both, '/api/me', undefined, { token })).body.store)
    expect(both.stores[0]?.id).toBe(store)
    const named = await byPort(both, `/api/ops/fetch?store=${store}`, {}, { as: 'bob' })
    expect(named.body.threads).toMatchObject([{ subject: 'In a' }])
    // For an unknown store the error names the store, not the caller.
    expect((await byPort(both, '/api/me?store=bogus')).status).toBe(404)
    const asBob = byPort(both, '/api/ops/fetch?store=bogus', {}, { as: 'bob' })
    expect((await asBob).status).toBe(404)
    // A token can't be used for its own store if the request names another.
    const mine = await tokenFor(b, { name: 'bob' })
    expect((await byPort(both, `/api/ops/fetch?store=${store}`, {}, { token: mine })).status).toBe(
      403,
    )
  })

  test('show their metrics only to their own people', async () => {
    const home = folder()
    const args = ['--auth', 'tokens']
    const both = await start({ db: [join(home, 'a.db'), join(home, 'b.db')], args })
    const [a, b] = both.stores.map(({ socket }) => ({ ...both, socket })) as [Running, Running]
    const idOf = async (token: string) =>
      String((await byPort(both, '/api/me', undefined, { token })).body.store)
    const [mine, other] = [await tokenFor(a, { name: 'user' }), await tokenFor(b, { name: 'user' })]
    const { text } = await byPort(both, '/metrics', undefined, { token: mine })
    expect(text).toContain(`inbox_events{store="${await idOf(mine)}"}`)
    expect(text).not.toContain(await idOf(other))
    expect((await byPort(both, '/readyz')).body).toEqual({ ok: true })
  })
})
