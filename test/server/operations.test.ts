// Operations over HTTP: each is called by name, runs once per key, and acts for the authenticated caller.

import { beforeAll, describe, expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { loadAll } from '../../src/ops/catalogue.ts'
import { runProgram } from '../worlds/program.ts'
import { freshStore } from '../worlds/store.ts'
import { until } from '../worlds/world.ts'
import { byPort, bySocket, op, type Running, servers, tokenFor } from './serving.ts'

const { start, folder } = servers()
let server: Running
beforeAll(async () => {
  server = await start()
})

type Thread = { thread_id: string; created_by: string; assigned_to: string; status: string }

test('work passes from agent to agent: send, claim, done', async () => {
  const sent = await op(server, 'send', { to: 'worker', subject: 'Build it' }, { as: 'lead' })
  expect({ status: sent.status, command: sent.body.command }).toEqual({
    status: 200,
    command: 'send',
  })
  const { thread_id } = sent.body.thread as Thread
  const claimed = await byPort(server, '/api/ops/claim', {}, { as: 'worker' })
  expect(claimed.body).toMatchObject({ ok: true, thread: { thread_id, status: 'claimed' } })
  const done = { thread: thread_id, summary: 'Built' }
  const finished = await byPort(server, '/api/ops/done', done, { as: 'worker' })
  expect(finished.body).toMatchObject({ ok: true, thread: { status: 'done' } })
  const again = await byPort(server, '/api/ops/done', done, { as: 'worker' })
  expect({ status: again.status, body: again.body }).toMatchObject({
    status: 409,
    body: { ok: false, error: { code: 'invalid_state' } },
  })
})

test('refuses a name in the input that is not the caller’s', async () => {
  const send = { to: 'worker', subject: 'Hi', from: 'boss' }
  const { status, body } = await byPort(server, '/api/ops/send', send, { as: 'bob' })
  expect({ status, body }).toMatchObject({ status: 403, body: { error: { code: 'forbidden' } } })
})

test('agents cannot call operations for people', async () => {
  const token = await tokenFor(server, { name: 'mallory' })
  const tokens = ['token-issue', 'token-list', 'sign-in']
  for (const name of [
    'export',
    'prune',
    'import',
    ...tokens,
    'doctor',
    'workspace-list',
    'agent-policies',
    'request-effects',
  ]) {
    const headers = name === 'import' ? { 'content-type': 'application/x-ndjson' } : {}
    for (const call of [{ as: 'mallory' }, { token }]) {
      const { status } = await byPort(server, `/api/ops/${name}`, {}, { ...call, headers })
      expect({ name, status }).toEqual({ name, status: 403 })
    }
  }
})

test('a service cannot export or import mail or leases', async () => {
  const token = await tokenFor(server, { name: 'ci', service: true })
  for (const name of ['export', 'mail-export', 'import']) {
    const headers = name === 'import' ? { 'content-type': 'application/x-ndjson' } : {}
    const { status } = await byPort(server, `/api/ops/${name}`, {}, { token, headers })
    expect({ name, status }).toEqual({ name, status: 403 })
  }
})

test('only the owner can add folders of the machine', async () => {
  await op(server, 'person-add', { name: 'ann' })
  // A token for another person can only be issued in the shell.
  const args = ['token', 'issue', 'user:ann', '--json', `--db=${server.stores[0]?.store}`]
  const token = String(JSON.parse((await runProgram(args, { folder: folder() })).stdout).token)
  const path = folder()
  const refused = await byPort(server, '/api/ops/workspace-add', { path }, { token })
  expect({ status: refused.status, text: refused.text }).toEqual({
    status: 403,
    text: expect.stringContaining('only user, the owner'),
  })
  expect((await op(server, 'workspace-add', { path })).status).toBe(200)
})

test('every operation refuses a thread the caller cannot see as if it did not exist', async () => {
  await op(server, 'mail-read', {}, { as: 'amy' })
  const mail = await op(server, 'mail-send', { to: 'amy', body: 'Hush' }, { as: 'bert' })
  const pushed = await op(server, 'push', { comments: 'Look' }, { as: 'bert' })
  const { thread_id, id } = mail.body.message as Record<'thread_id' | 'id', string>
  // A message is hidden along with its thread.
  for (const more of [{}, { kind: 'control' }, { in_reply_to: 'msg_1' }]) {
    const tried = async (thread: string) =>
      (await op(server, 'reply', { thread, summary: 'Hi', ...more }, { as: 'nosy' })).text
    expect(await tried(id)).toBe((await tried('msg_none')).replace('msg_none', id))
  }
  for (const thread of [thread_id, String(pushed.body.entry_id)]) {
    const calls: [string, object][] = [
      ['show', {}],
      ['claim', {}],
      ['cancel', {}],
      ['renew', { lease_token: 'x' }],
      ['reply', { summary: 'Hi' }],
      ['reply', { summary: 'Hi', kind: 'control' }],
      ['reply', { summary: 'Hi', in_reply_to: 'msg_1' }],
      ['send', { summary: 'Hi' }],
      ['done', { summary: 'Hi' }],
    ] as [string, object][]
    for (const [name, more] of calls) {
      const { status, body } = await op(server, name, { thread, ...more }, { as: 'nosy' })
      const none = await op(server, name, { thread: 'none', ...more }, { as: 'nosy' })
      expect({ name, status, body: JSON.stringify(body) }).toEqual({
        name,
        status: 404,
        body: none.text.trim().replaceAll('none', thread),
      })
    }
    // A participant gets the real reason.
    expect((await op(server, 'claim', { thread }, { as: 'bert' })).status).toBe(409)
  }
})

describe('Idempotency-Key', () => {
  test('returns the first answer to a retry', async () => {
    const headers = { 'idempotency-key': 'key-1' }
    const send = { to: 'worker', subject: 'Once' }
    const answers = await Promise.all(
      [1, 2, 3].map(() => op(server, 'send', send, { as: 'lead', headers })),
    )
    const ids = answers.map(({ body }) => (body.thread as Thread).thread_id)
    expect(new Set(ids).size).toBe(1)
  })

  test('is refused for another request, with a conflicting field, or for an operation without writes', async () => {
    const headers = { 'idempotency-key': 'key-1' }
    const other = await op(
      server,
      'send',
      { to: 'worker', subject: 'Two' },
      { as: 'lead', headers },
    )
    expect(other.status).toBe(409)
    const both = { to: 'worker', subject: 'Once', idempotency_key: 'key-2' }
    expect((await op(server, 'send', both, { as: 'lead', headers })).status).toBe(400)
    expect((await op(server, 'list', {}, { headers })).status).toBe(400)
  })
})

describe('a wait', () => {
  test('ends when a message arrives', async () => {
    const { body } = await op(server, 'mail-read', {}, { as: 'sleeper' })
    const since = String(body.next_event_id)
    const waiting = op(server, 'mail-read', { since, timeout_seconds: 50 }, { as: 'sleeper' })
    await op(server, 'mail-send', { to: 'sleeper', subject: 'Up', body: 'Up!' })
    const { status, body: got } = await waiting
    expect({ status, messages: got.messages }).toMatchObject({
      status: 200,
      messages: [{ subject: 'Up' }],
    })
  })

  test('ends with a cursor and no result when it times out', async () => {
    const { status, body } = await op(server, 'watch', { timeout_seconds: 1 }, { as: 'lead' })
    expect({ status, body }).toMatchObject({ status: 200, body: { ok: true, woke: false } })
    expect(body.next_event_id).toBeNumber()
  })

  test('ends when its caller disconnects', async () => {
    const gone = new AbortController()
    const before = await waits()
    const waiting = fetch('http://inbox/api/ops/watch', {
      unix: server.socket,
      method: 'POST',
      signal: gone.signal,
      headers: { 'content-type': 'application/json', 'x-inbox-agent': 'lead' },
      body: '{"timeout_seconds":50}',
    })
    await until(async () => (await waits()) > before, 'the wait')
    gone.abort()
    await expect(waiting).rejects.toThrow()
    await until(async () => (await waits()) === before, 'the end of the wait')
  })
})

/** The number of waiting calls. */
async function waits(): Promise<number> {
  const { text } = await bySocket(server, '/metrics')
  return Number(/^inbox_calls_waiting (\d+)$/m.exec(text)?.[1])
}

test('a message counts as presented once the answer was sent', async () => {
  await op(server, 'mail-read', {}, { as: 'reader' })
  const sent = await op(server, 'mail-send', { to: 'reader', subject: 'See', body: 'this' })
  const { id } = sent.body.message as { id: string }
  await op(server, 'mail-read', {}, { as: 'reader' })
  const state = async () => {
    const { body } = await op(server, 'mail-receipts', { message: id })
    const [message] = body.messages as { receipts: { state: string; presented_by: string }[] }[]
    return message?.receipts[0]
  }
  await until(async () => (await state())?.state === 'presented', 'it is presented')
  expect(await state()).toMatchObject({ presented_by: 'http' })
})

describe('a log', () => {
  test('is exported as lines, and refused by a store that has its own log', async () => {
    const log = (await bySocket(server, '/api/ops/export', {})).text
    expect(log.split('\n').length).toBeGreaterThan(5)
    const other = await start()
    const taken = await fetch('http://inbox/api/ops/import', {
      unix: other.socket,
      method: 'POST',
      headers: { 'content-type': 'application/x-ndjson' },
      body: `${log}{"broken\n`,
    })
    // A running server has already written to its store's log, and import needs an empty one.
    expect(taken.status).toBe(409)
  })

  test('is refused before the first line if the cursor is past its end', async () => {
    const { status, body } = await op(server, 'export', { after_event: 999_999 })
    expect({ status, body }).toMatchObject({
      status: 400,
      body: { error: { code: 'invalid_input' } },
    })
  })

  test('of mail is imported as lines of a mailbox', async () => {
    const line = {
      id: 'm-1',
      from: 'ann',
      to: 'bob',
      type: 'status',
      subject: 'Old',
      body: 'news',
      createdAt: '2026-01-01T00:00:00.000Z',
      read: true,
    }
    const response = await fetch('http://inbox/api/ops/import?as=mailbox', {
      unix: server.socket,
      method: 'POST',
      headers: { 'content-type': 'application/x-ndjson' },
      body: `${JSON.stringify(line)}\nnonsense\n`,
    })
    const body = (await response.json()) as { rejected: object[] }
    expect({ status: response.status, rejected: body.rejected.length }).toEqual({
      status: 200,
      rejected: 1,
    })
  })
})

test('callers cannot read or write files of the server’s machine', async () => {
  const path = `${folder()}/copy.db`
  const backup = await op(server, 'backup', { file: path })
  expect({ status: backup.status, message: JSON.stringify(backup.body) }).toMatchObject({
    status: 404,
  })
  expect(JSON.stringify(backup.body)).toContain('shell')
  expect(() => readFileSync(path)).toThrow()
  const response = await fetch('http://inbox/api/ops/import?file=/etc/passwd', {
    unix: server.socket,
    method: 'POST',
    headers: { 'content-type': 'application/x-ndjson' },
    body: '',
  })
  expect(response.status).toBe(400)
})

test('a bug is masked in the answer and logged under the same id', async () => {
  const store = await freshStore('sqlite')
  const broken = await start({ db: [store.address] })
  const sent = await op(broken, 'send', { to: 'worker', subject: 'Hi' }, { as: 'lead' })
  const { thread_id } = sent.body.thread as Thread
  // Mailroom never writes a row like this.
  await store.sql('update messages set payload_json = \'{"password": "hunter2\'')
  const { status, body } = await op(broken, 'show', { thread: thread_id })
  const { code, message, id } = body.error as Record<string, string>
  expect({ status, code }).toEqual({ status: 500, code: 'internal' })
  expect(message).toBe(`something went wrong inside; the server's log has it under ${id}`)
  const isIt = (line: Record<string, unknown>) => line.id === id
  const told = await until(async () => broken.log().find(isIt), 'it is told')
  expect(told).toMatchObject({ level: 'error', what: 'bug', route: '/api/ops/:name' })
  expect(String(told.stack)).toContain('SyntaxError')
  expect(JSON.stringify(broken.log())).not.toContain('hunter2')
  expect((await op(broken, 'list')).status).toBe(200)
  await broken.stop()
  await store.remove()
})

test('a refusal names fields as in the request, and operations by path', async () => {
  const wrong = async (name: string, input: object) => {
    const { body } = await op(server, name, input, { as: 'lead' })
    return (body.error as { message: string }).message
  }
  expect(await wrong('mail-send', { timeout_seconds: 5 })).toBe('to is missing: say who it is for')
  expect(await wrong('show', {})).toBe(
    'thread is missing: say which thread, by id, such as thr_01k9…',
  )
  expect(await wrong('mail-mark-read', {})).toBe('give messages, by id, or all; not both')
  expect(await wrong('show', { thread: 'thr_1' })).toBe(
    'there is no thread thr_1, and as a short id it is too short: give at least 4 letters',
  )
  expect(await wrong('mail-send', { to: 'nobody', type: 'cancel', body: 'Hi' })).toBe(
    'there is no agent nobody; see /api/ops/agent-list, or have it registered with /api/ops/agent-register {"agent":"nobody"}',
  )
  expect(await wrong('token-issue', {})).toBe(
    '/api/ops/token-issue is not for agents; ask a person',
  )
})

test('a shell-only command is not found, and the refusal names it', async () => {
  const names: string[] = []
  for (const { name, at, internal } of await loadAll()) {
    if (at === undefined || internal) continue
    names.push(name)
    const { status, body } = await op(server, name.replaceAll(' ', '-'), {})
    expect({ name, status, error: body.error }).toMatchObject({
      name,
      status: 404,
      error: { code: 'not_found', message: expect.stringContaining(`'inbox ${name}'`) },
    })
  }
  expect(names).toContain('serve')
  expect(names).toContain('backup')
})

test('the API description lists every operation and every address', async () => {
  const { body } = await bySocket(server, '/api/openapi.json')
  const paths = Object.keys(body.paths as object)
  for (const { name, at } of await loadAll()) {
    const path = `/api/ops/${name.replaceAll(' ', '-')}`
    expect({ name, there: paths.includes(path) }).toEqual({ name, there: at === undefined })
  }
  expect(paths).toContain('/api/events')
  expect(paths).toContain('/api/inbox/{id}/read')
})

test('/metrics lists requests, durations, and gauges', async () => {
  const { text, headers } = await byPort(server, '/metrics')
  expect(headers.get('content-type')).toContain('version=0.0.4')
  expect(text).toMatch(
    /^inbox_http_requests_total\{route="\/api\/ops\/:name",method="POST",status="200"\} \d+$/m,
  )
  expect(text).toMatch(/^inbox_http_request_duration_seconds_bucket\{.*le="\+Inf"\} \d+$/m)
  for (const name of ['inbox_streams', 'inbox_mail_unread', 'inbox_events', 'inbox_waiters']) {
    expect(text).toContain(`# TYPE ${name} gauge`)
  }
  expect((await byPort(server, '/readyz')).body).toMatchObject({ ok: true, answering: 1 })
})
