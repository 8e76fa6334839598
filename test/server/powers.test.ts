// Tests what each kind of access permits, and what it doesn't.

import { beforeAll, describe, expect, test } from 'bun:test'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathName } from '../../src/doors/http/ops-route.ts'
import { loadAll } from '../../src/ops/catalogue.ts'
import { PROGRAM } from '../worlds/program.ts'
import {
  type Answer,
  byPort,
  listen,
  op,
  type Running,
  servers,
  signedIn,
  tokenFor,
} from './serving.ts'

const { start, folder, refused } = servers()
let server: Running
let browser: Awaited<ReturnType<typeof signedIn>>
beforeAll(async () => {
  server = await start()
  browser = await signedIn(server)
})

function asPage(name: string, input: object, more: Record<string, string> = {}): Promise<Answer> {
  const headers = { ...browser.page, ...more }
  return byPort(server, `/api/ops/${name}`, input, { headers })
}

describe('a session', () => {
  test('can do what a person does every day', async () => {
    const sent = await asPage('send', { to: 'bob', subject: 'Hi' })
    expect(sent.body).toMatchObject({ ok: true, thread: { created_by: 'user' } })
    const named = { 'sec-fetch-site': 'same-origin' }
    expect((await asPage('push-history', {}, named)).status).toBe(200)
  })

  test('cannot decide who gets access, what runs, or what is visible', async () => {
    const calls: [string, object][] = [
      ['token-issue', { name: 'user' }],
      ['token-issue', { name: 'bob' }],
      ['sign-in', {}],
      ['workspace-add', { path: folder() }],
      ['workspace-remove', { workspace: 'ws_none' }],
      ['agent-register', { agent: 'bob', wake_command: '["true"]' }],
      ['agent-register', { agent: 'bob', may_write_to_user: true }],
      ['agent-register', { agent: 'bob', role: 'orchestrator' }],
      ['agent-register', { agent: 'orchestrator' }],
      ['person-add', { name: 'eve' }],
      ['prune', {}],
      ['export', {}],
      ['mail-export', {}],
    ]
    for (const [name, input] of calls) {
      const { status, body } = await asPage(name, input)
      expect({ name, status, body }).toMatchObject({
        name,
        status: 403,
        body: { error: { message: expect.stringContaining('a browser') } },
      })
    }
    const lines = { 'content-type': 'application/x-ndjson' }
    expect((await asPage('import?as=mailbox', {}, lines)).status).toBe(403)
    const plain = { agent: 'bob', role: 'builder' }
    expect((await asPage('agent-register', plain)).status).toBe(200)
  })

  test('is refused with a cookie that does not come from its page', async () => {
    const { cookie } = browser.session
    const send = { to: 'bob', subject: 'Hi' }
    for (const headers of [{ cookie }, { cookie, 'sec-fetch-site': 'none' }]) {
      expect((await byPort(server, '/api/ops/send', send, { headers })).status).toBe(403)
    }
    const me = await byPort(server, '/api/me', undefined, { headers: { cookie } })
    expect(me.status).toBe(200)
  })

  test('cannot call any changing operation with a cookie but no page key', async () => {
    const changing = (await loadAll()).filter(
      ({ writes, at, internal }) => writes !== 'nothing' && at === undefined && !internal,
    )
    expect(changing.length).toBeGreaterThan(50)
    const lastEvent = async () => (await op(server, 'mail-peek', {})).body.next_event_id
    const before = await lastEvent()
    const headers = browser.session
    for (const { name, readsFile } of changing) {
      const path = `/api/ops/${pathName(name)}`
      const type = readsFile ? { 'content-type': 'application/x-ndjson' } : {}
      const call = { headers: { ...headers, ...type } }
      const { status, body } = await byPort(server, path, {}, call)
      expect({ name, status, body }).toMatchObject({
        name,
        status: 403,
        body: { error: { code: 'forbidden' } },
      })
    }
    const tool = { name: 'send_message', arguments: { to: 'bob', type: 'status', body: 'Hi' } }
    const rpc = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: tool }
    const accept = { ...headers, accept: 'application/json, text/event-stream' }
    expect((await byPort(server, '/mcp', rpc, { headers: accept })).text).toContain(
      'has lost its key',
    )
    for (const [method, path] of [
      ['PUT', '/api/inbox/x/read'],
      ['POST', '/api/inbox/x/trash'],
      ['DELETE', '/api/inbox/x'],
      ['POST', '/api/inbox/x/reply'],
    ] as const) {
      const type = { 'content-type': 'application/json' }
      const asked = { method, headers: { ...headers, ...type }, body: '{"comments":"Hi"}' }
      const { status } = await fetch(`${server.url}${path}`, asked)
      expect({ path, status }).toEqual({ path, status: 403 })
    }
    expect(await lastEvent()).toBe(before)
    // A cookie still allows reads that leave no trace.
    expect((await byPort(server, '/api/ops/desk-list', {}, { headers })).status).toBe(200)
  })
})

describe('a person’s token that is limited', () => {
  test('to some tools cannot issue tokens or sign in', async () => {
    const token = await tokenFor(server, { name: 'user', sets: ['mailbox'] })
    for (const [name, input] of [
      ['token-issue', { name: 'user' }],
      ['token-issue', { name: 'bob', sets: ['mailbox'] }],
      ['sign-in', {}],
    ] as const) {
      const { status } = await byPort(server, `/api/ops/${name}`, input, { token })
      expect({ name, status }).toEqual({ name, status: 403 })
    }
  })

  test('to a workspace or some tools cannot decide what runs or what is visible', async () => {
    const here = folder()
    const added = await op(server, 'workspace-add', { path: here })
    const { workspace_id: workspace } = added.body.workspace as { workspace_id: string }
    const limits = [{ workspace }, { sets: ['mailbox', 'threads', 'workspace'] }]
    for (const limit of limits) {
      const token = await tokenFor(server, { name: 'user', ...limit })
      for (const [name, input] of [
        ['agent-register', { agent: 'bob', wake_command: '["true"]' }],
        ['workspace-add', { path: here }],
        ['workspace-remove', { workspace }],
        ['person-add', { name: 'eve' }],
        ['export', {}],
        ['prune', {}],
        ['token-list', {}],
        ['token-revoke', { token: 'tok_other' }],
        ['workspace-rename', { workspace, label: 'Mine' }],
        ['doctor', {}],
      ] as const) {
        const { status } = await byPort(server, `/api/ops/${name}`, input, { token })
        expect({ name, limit, status }).toEqual({ name, limit, status: 403 })
      }
    }
  })

  test('to mail cannot read or hear about pushes, and one limited to pushes cannot reach mail', async () => {
    const here = folder()
    writeFileSync(join(here, 'doc.md'), 'secret')
    const added = await op(server, 'workspace-add', { path: here })
    const { workspace_id: workspace } = added.body.workspace as { workspace_id: string }
    const pushed = await op(server, 'push', { workspace, docs: ['doc.md'] })
    expect(pushed.status).toBe(200)
    const file = `/api/inbox/${pushed.body.entry_id}/file?path=doc.md`
    const mail = await tokenFor(server, { name: 'user', sets: ['mailbox'] })
    const pushes = await tokenFor(server, { name: 'user', sets: ['workspace'] })
    expect((await byPort(server, file, undefined, { token: mail })).status).toBe(403)
    expect((await byPort(server, file, undefined, { token: pushes })).text).toBe('secret')
    await op(server, 'agent-register', { agent: 'ann' })
    await op(server, 'mail-send', { to: 'ann', body: 'For Ann' })
    await op(server, 'push-trash', { entries: [pushed.body.entry_id] })
    const eventTypesFor = async (token: string, last: string) => {
      const headers = { authorization: `Bearer ${token}` }
      const stream = await listen(server, '?after=0', { headers })
      await stream.until((heard) => heard.some(({ data }) => data.event_type === last))
      stream.leave()
      return stream.heard.map(({ data }) => String(data.event_type)).join()
    }
    expect(await eventTypesFor(mail, 'mail_send')).not.toContain('push_')
    expect(await eventTypesFor(pushes, 'push_trash')).not.toContain('mail_')
    const named = await byPort(server, '/api/events?types=push_send', undefined, { token: mail })
    expect(named.status).toBe(403)
  })

  test('in time cannot issue a token that lasts longer', async () => {
    const token = await tokenFor(server, { name: 'user', days: 2 })
    const mine = await byPort(server, '/api/ops/token-list', {}, { token })
    const [{ expires_at: end }] = mine.body.tokens as [{ expires_at: string }]
    const made = async (days?: number) => {
      const input = { name: 'bob', ...(days === undefined ? {} : { days }) }
      const { body } = await byPort(server, '/api/ops/token-issue', input, { token })
      return (body.issued as { expires_at: string }).expires_at
    }
    expect(await made()).toBe(end)
    expect(await made(30)).toBe(end)
    expect((await made(1)) < end).toBe(true)
    expect((await byPort(server, '/api/ops/sign-in', {}, { token })).status).toBe(403)
    const long = await tokenFor(server, { name: 'user', days: 60 })
    const signed = await byPort(server, '/api/ops/sign-in', {}, { token: long })
    expect(signed.status).toBe(200)
  })
})

test('a service and an agent cannot have the same name', async () => {
  await op(server, 'agent-register', { agent: 'dora' })
  const { status } = await op(server, 'token-issue', { name: 'dora', service: true })
  expect(status).toBe(400)
  const token = await tokenFor(server, { name: 'night-job', service: true })
  const sent = await byPort(server, '/api/ops/mail-send', { to: 'dora', body: 'Hi' }, { token })
  expect(sent.status).toBe(200)
  // The service is registered by now, so others can reply to it. Its token can still be replaced.
  const other = await op(server, 'token-issue', { name: 'night-job', service: true })
  expect(other.status).toBe(200)
  expect((await op(server, 'token-issue', { name: 'night-job' })).status).toBe(400)
  const role = { agent: 'night-job', role: 'orchestrator' }
  expect((await op(server, 'agent-register', role)).status).toBe(400)
  // Once the service has no tokens, the name is free.
  for (const one of [token, other.body.token]) await op(server, 'token-revoke', { token: one })
  expect((await op(server, 'token-issue', { name: 'night-job' })).status).toBe(200)
  expect((await op(server, 'token-issue', { name: 'night-job', service: true })).status).toBe(400)
})

test('a wake command set with a token waits for approval on the server’s machine', async () => {
  const token = await tokenFor(server, { name: 'user' })
  const held = async (call: object) => {
    const input = { agent: 'gus', wake_command: '["true"]', status: 'dormant' }
    const set = await byPort(server, '/api/ops/agent-register', input, call)
    expect(set.status).toBe(200)
    await op(server, 'mail-send', { to: 'gus', body: 'Wake up', type: 'question' })
    const { body } = await op(server, 'wake-explain', { agent: 'gus' })
    return body
  }
  expect(await held({ token })).toMatchObject({
    wakes: false,
    waking: 1,
    wakes_before: [],
    why: expect.stringContaining('not set on this machine'),
  })
})

test('other agents cannot see an agent’s wake command or the end of its output', async () => {
  const command = ['/bin/sh', '-c', 'echo SECRET $0 >&2; exit 3', 'KEY']
  const agent = { agent: 'carl', wake_command: JSON.stringify(command) }
  expect((await op(server, 'agent-register', agent)).status).toBe(200)
  await op(server, 'mail-send', { to: 'carl', body: 'Wake up', type: 'question' })
  for (;;) {
    const { body } = await op(server, 'wake-log', { agent: 'carl' })
    const [first] = body.wakes as { state: string; stderr: string }[]
    if (first?.state !== 'failed') continue
    expect(first.stderr).toContain('SECRET KEY')
    break
  }
  const looks = [
    ['wake-log', { agent: 'carl' }],
    ['wake-explain', { agent: 'carl' }],
    ['agent-status', { agent: 'carl' }],
    ['agent-list', {}],
  ] as const
  const seen = async (call: Parameters<typeof byPort>[3]) => {
    const answers = looks.map(([name, input]) => byPort(server, `/api/ops/${name}`, input, call))
    return (await Promise.all(answers)).map(({ status, text }) => [status, /KEY/.test(text)])
  }
  const [other, itself] = [
    await tokenFor(server, { name: 'mallory' }),
    await tokenFor(server, { name: 'carl' }),
  ]
  expect(await seen({ token: other })).toEqual(looks.map(() => [200, false]))
  expect(await seen({ token: itself })).toEqual(looks.map(() => [200, true]))
  const person = await tokenFor(server, { name: 'user' })
  expect(await seen({ token: person })).toEqual(looks.map(() => [200, true]))
})

test('only participants can cancel work, over HTTP and MCP', async () => {
  const [lead, mallory] = [
    await tokenFor(server, { name: 'lead' }),
    await tokenFor(server, { name: 'mallory' }),
  ]
  const sent = await byPort(server, '/api/ops/send', { to: 'amy', subject: 'Hi' }, { token: lead })
  const { thread_id: thread } = sent.body.thread as { thread_id: string }
  const no = await byPort(server, '/api/ops/cancel', { thread }, { token: mallory })
  expect(no).toMatchObject({ status: 403, body: { error: { code: 'forbidden' } } })
  const tool = async (token: string) => {
    const params = { name: 'thread_cancel', arguments: { thread } }
    const headers = { accept: 'application/json, text/event-stream' }
    const request = { jsonrpc: '2.0', id: 1, method: 'tools/call', params }
    return (await byPort(server, '/mcp?sets=threads', request, { token, headers })).text
  }
  expect(await tool(mallory)).toContain('mallory has no part in thread')
  expect(await tool(lead)).toContain('cancelled')
})

test('only the owner can import messages in others’ names', async () => {
  await op(server, 'person-add', { name: 'eve' })
  const eve = (await run(['token', 'issue', 'user:eve', '--json'])).token
  const headers = { 'content-type': 'application/x-ndjson' }
  const bring = (token: string) =>
    byPort(server, '/api/ops/import?as=mailbox', {}, { token, headers })
  expect((await bring(eve)).status).toBe(403)
  const service = await tokenFor(server, { name: 'ci', service: true })
  expect((await bring(service)).status).toBe(403)
  // The token is accepted, but the body is invalid.
  expect((await bring(await tokenFor(server, { name: 'user' }))).status).toBe(400)
})

async function run(args: string[]): Promise<{ token: string }> {
  const [store] = server.stores
  const child = Bun.spawn([PROGRAM, ...args, '--db', store?.store ?? ''], { stdout: 'pipe' })
  return (await new Response(child.stdout).json()) as { token: string }
}

test('an agent cannot take a reserved name in any capitalization', async () => {
  for (const as of ['System', 'USER', 'Orchestrator', 'Broadcast']) {
    const { status } = await byPort(server, '/api/me', undefined, { as })
    expect({ as, status }).toEqual({ as, status: 400 })
    if (as !== 'USER') expect((await op(server, 'token-issue', { name: as })).status).toBe(400)
  }
})

test('a server with another host name requires tokens', async () => {
  const { code, answer } = await refused({ args: ['--allow-host', 'inbox.example'] })
  expect({ code, answer }).toMatchObject({ code: 30, answer: { ok: false } })
})
