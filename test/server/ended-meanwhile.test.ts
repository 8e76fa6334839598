// Requests that are accepted, but whose token or session ends before the last byte arrives. The server's response says
// so, and the request has no effect.

import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { join } from 'node:path'
import { openMailroom } from '../../src/bin/compose.ts'
import { composeToken, SECRET_BYTES, tokenIdIn } from '../../src/core/identity/token.ts'
import { freshStore, type TestStore } from '../worlds/store.ts'
import { until } from '../worlds/world.ts'
import { byPort, op, type Running, servers } from './serving.ts'

const { start, folder } = servers()
let store: TestStore
/** On PostgreSQL the token is revoked on another server of the same store. */
let server: Running
let elsewhere: Running

type Slow = { path: string; body: string; headers: Record<string, string>; method?: string }

/** Sends all but the last few bytes. `finish` sends those and returns the response. */
async function slowly({ path, body, headers }: Slow, splitAt = body.length - 5) {
  const socket = connect(server.port, '127.0.0.1')
  let text = ''
  const closed = new Promise<void>((resolve) => {
    socket.on('close', () => resolve())
    socket.on('error', () => resolve())
  })
  const answered = new Promise<void>((resolve) => {
    socket.on('data', (chunk) => {
      text += chunk.toString('utf8')
      if (/\r\n\r\n/.test(text)) resolve()
    })
  })
  const lines = {
    host: `127.0.0.1:${server.port}`,
    'content-length': String(body.length),
    connection: 'close',
    ...headers,
  }
  const head = Object.entries(lines).map(([name, value]) => `${name}: ${value}\r\n`)
  socket.write(`POST ${path} HTTP/1.1\r\n${head.join('')}\r\n${body.slice(0, splitAt)}`)
  return {
    async finish() {
      socket.write(body.slice(splitAt))
      await Promise.race([closed, answered])
      await closed
      return { status: Number(/^HTTP\/1\.1 (\d{3})/.exec(text)?.[1] ?? 0), text }
    },
    answered,
    text: () => text,
    close: () => socket.destroy(),
  }
}

async function issued(name: string) {
  const { body } = await op(server, 'token-issue', { name })
  const { token_id } = body.issued as { token_id: string }
  return { secret: String(body.token), id: token_id }
}

function posted(secret: string, path: string, body: object): Slow {
  const headers = { authorization: `Bearer ${secret}`, 'content-type': 'application/json' }
  return { path, body: JSON.stringify(body), headers }
}

function tool(secret: string, name: string, args: object): Slow {
  const params = { name, arguments: args }
  const slow = posted(secret, '/mcp', { jsonrpc: '2.0', id: 1, method: 'tools/call', params })
  return {
    ...slow,
    headers: { ...slow.headers, accept: 'application/json, text/event-stream' },
  }
}

async function lastEvent(): Promise<number> {
  const { body } = await op(server, 'list')
  return Number(body.next_event_id)
}

describe.each(['sqlite', 'postgres'] as const)('on %s, before the last byte', (engine) => {
  beforeAll(async () => {
    store = await freshStore(engine)
    await (await openMailroom(store.address)).close()
    server = await start({ db: [store.address] })
    elsewhere = engine === 'postgres' ? await start({ db: [store.address] }) : server
    await op(server, 'send', { to: 'ann', subject: 'Build it' }, { as: 'bob' })
  })
  afterAll(async () => {
    await server.stop()
    if (elsewhere !== server) await elsewhere.stop()
    await store.remove()
  })

  const end = async (id: string) => {
    expect((await op(elsewhere, 'token-revoke', { token: id })).status).toBe(200)
  }

  test.each([
    ['token-issue', 'user', { name: 'user', label: 'outlives' }],
    ['send', 'ann', { to: 'bob', subject: 'Late' }],
    ['claim', 'ann', {}],
    ['mail-read', 'ann', {}],
    ['mail-send', 'ann', { to: 'bob', body: 'x'.repeat(200_000) }],
  ])('refuses %s if the token has been revoked', async (name, who, input) => {
    const { secret, id } = await issued(who)
    const slow = await slowly(posted(secret, `/api/ops/${name}`, input))
    await identified(id)
    await end(id)
    const before = await lastEvent()
    const { status, text } = await slow.finish()
    expect(text).toContain('your token was revoked')
    expect(status).toBe(401)
    expect(await lastEvent()).toBe(before)
  })

  test('refuses a tool over MCP, with no effect', async () => {
    const { secret, id } = await issued('ann')
    const slow = await slowly(tool(secret, 'send_message', { to: 'bob', body: 'Late' }))
    await identified(id)
    await end(id)
    const before = await lastEvent()
    const { text } = await slow.finish()
    expect(text).toContain('"isError":true')
    expect(text).toContain('your token was revoked')
    expect(await lastEvent()).toBe(before)
  })

  test('ends an import at once, with nothing imported', async () => {
    const { secret, id } = await issued('user')
    const line = (at: number) =>
      `{"id":"m${at}","type":"custom","from":"agent:ann","to":"agent:bob","body":"x","read":true,"createdAt":"2026-03-01T08:00:00Z"}\n`
    const body = Array.from({ length: 15 }, (_, at) => line(at)).join('')
    const headers = { authorization: `Bearer ${secret}`, 'content-type': 'application/x-ndjson' }
    const slow = await slowly({ path: '/api/ops/import?as=mailbox', body, headers }, 500)
    await identified(id)
    const before = await lastEvent()
    await end(id)
    // The remaining bytes are never sent.
    await slow.answered
    expect(slow.text()).toStartWith('HTTP/1.1 401')
    expect(slow.text()).toContain('your token was revoked')
    slow.close()
    expect(await lastEvent()).toBe(before + 1)
    // The failed import doesn't block later imports.
    const { text } = await byPort(server, '/api/ops/import?as=mailbox', undefined, {
      ...(await asUser()),
      method: 'POST',
    })
    expect(text).not.toContain('another file is being imported')
  })

  test('refuses a call whose session was signed out', async () => {
    const { body } = await op(server, 'sign-in', {})
    const origin = { origin: server.url }
    const code = `code=${body.code}`
    const form = { 'content-type': 'application/x-www-form-urlencoded', ...origin }
    const signedIn = await fetch(`${server.url}/sign-in`, {
      method: 'POST',
      body: code,
      headers: form,
      redirect: 'manual',
    })
    const cookie = String(signedIn.headers.get('set-cookie')).split(';')[0] as string
    const key = String(signedIn.headers.get('location')).split('#key=')[1] as string
    const slow = await slowly({
      path: '/api/ops/mail-send',
      body: JSON.stringify({ to: 'ann', body: 'Late' }),
      headers: {
        cookie,
        'x-inbox-page-key': key,
        'content-type': 'application/json',
        ...origin,
      },
    })
    const { body: list } = await op(server, 'token-list', { all: true })
    const [session] = (list.tokens as { kind: string; token_id: string }[]).filter(
      ({ kind }) => kind === 'session',
    )
    await identified(session?.token_id as string)
    const out = await fetch(`${server.url}/sign-out`, {
      method: 'POST',
      body: '',
      redirect: 'manual',
      headers: { ...form, cookie },
    })
    expect(out.status).toBe(303)
    const before = await lastEvent()
    const { status, text } = await slow.finish()
    expect(status).toBe(401)
    expect(text).toContain('your session is over')
    expect(await lastEvent()).toBe(before)
  })

  test('cuts off a document that is being sent', async () => {
    const path = folder()
    await writeFile(join(path, 'large.bin'), new Uint8Array(60_000_000))
    const { body: added } = await op(server, 'workspace-add', { path, default_agent: 'ann' })
    const { workspace_id } = added.workspace as { workspace_id: string }
    const push = { workspace: workspace_id, docs: ['large.bin'] }
    const { body: pushed } = await op(server, 'push', push, { as: 'ann' })
    const { secret, id } = await issued('user')
    const address = `${server.url}/api/inbox/${pushed.entry_id}/file?path=large.bin`
    const response = await fetch(address, { headers: { authorization: `Bearer ${secret}` } })
    const reader = (response.body as ReadableStream<Uint8Array>).getReader()
    let got = (await reader.read()).value?.length ?? 0
    // Once the event stream of the same token closes, the server knows the token was revoked.
    const events = await fetch(`${server.url}/api/events`, {
      headers: { authorization: `Bearer ${secret}` },
    })
    await end(id)
    await events.text()
    const rest = async () => {
      for (;;) {
        const { done, value } = await reader.read()
        if (done) return 'whole'
        got += value.length
      }
    }
    expect(await rest().catch(() => 'broken')).toBe('broken')
    expect(got).toBeLessThan(60_000_000)
  })

  test('says that a token was revoked only to callers with its secret', async () => {
    const { secret, id } = await issued('ann')
    await end(id)
    const shown = await byPort(server, '/api/ops/list', {}, { token: secret })
    expect(shown).toMatchObject({ status: 401, body: { error: { code: 'unauthenticated' } } })
    expect(shown.text).toContain('your token was revoked')
    // The id is public. Only the secret of this token is wrong: its format and checksum are valid.
    const forged = composeToken(tokenIdIn(secret) as string, new Uint8Array(SECRET_BYTES))
    const guessed = await byPort(server, '/api/ops/list', {}, { token: forged })
    expect(guessed.status).toBe(401)
    expect(guessed.text).not.toContain('was revoked')
  })

  async function asUser() {
    const { secret } = await issued('user')
    return { token: secret, headers: { 'content-type': 'application/x-ndjson' } }
  }

  /** Waits until the request is accepted, which is when its token counts as used. */
  async function identified(id: string): Promise<void> {
    await until(async () => {
      const { body } = await op(server, 'token-list', { all: true })
      const tokens = body.tokens as { token_id: string; last_used_at: string | null }[]
      return tokens.find(({ token_id }) => token_id === id)?.last_used_at !== null
    }, 'it was accepted')
  }
})
