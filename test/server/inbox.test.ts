// The person's inbox over HTTP: lists, documents, and replies that wake agents, with attacks on each.

import { beforeAll, describe, expect, test } from 'bun:test'
import { execFileSync } from 'node:child_process'
import { mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { notedTurns } from '../programs/agent-notes.ts'
import { commandOf } from '../worlds/wakes.ts'
import { until } from '../worlds/world.ts'
import { byPort, bySocket, listen, op, type Running, rawly, servers, statusIn } from './serving.ts'

const { start, folder } = servers()
let server: Running
let home: string
let workspace: string

beforeAll(async () => {
  server = await start({ args: ['--dev'] })
  home = join(folder(), 'thesis')
  mkdirSync(home)
  writeFileSync(join(home, 'report.md'), '# Rates\n')
  writeFileSync(join(home, '../secret.txt'), 'SECRET')
  const { body } = await op(server, 'workspace-add', { path: home, label: 'Thesis' })
  workspace = (body.workspace as { workspace_id: string }).workspace_id
})

type Entry = { id: string; comments: string; unread: boolean }

async function push(input: object = {}): Promise<string> {
  const { body } = await op(server, 'push', { workspace, comments: 'Look', ...input })
  return String(body.entry_id)
}

async function history(query = ''): Promise<Entry[]> {
  return (await bySocket(server, `/api/inbox/history${query}`)).body.entries as Entry[]
}

test('the desk lists the newest first, each with its workspace', async () => {
  const own = await start()
  const line = { id: 'old-1', ts: 1, workspaceId: 'ws-x', workspaceLabel: 'Else', agent: 'claude' }
  const body = Array.from(
    { length: 25 },
    (_, n) => `${JSON.stringify({ ...line, id: `old-${n}`, comments: `Imported ${n}.` })}\n`,
  ).join('')
  const headers = { 'content-type': 'application/x-ndjson' }
  const url = 'http://inbox/api/ops/import?as=entries'
  const brought = await fetch(url, { method: 'POST', unix: own.socket, headers, body })
  expect(brought.status).toBe(200)
  const added = await op(own, 'workspace-add', { path: home, label: 'Thesis' })
  const { workspace_id } = added.body.workspace as { workspace_id: string }
  await op(own, 'push', { workspace: workspace_id, comments: 'The newest question' })
  await op(own, 'workspace-rename', { workspace: workspace_id, label: 'Book' })
  await op(own, 'notify', { workspace: workspace_id, message: 'Ping' })
  const { body: desk } = await op(own, 'desk-list', { limit: 20 })
  const [question, last] = desk.rows as object[]
  expect(question).toMatchObject({ title: 'The newest question', workspace_label: 'Book' })
  const imported = { title: 'Imported 24.', from: 'claude', workspace_label: 'Else' }
  expect(last).toMatchObject({ ...imported, imported_by: 'user' })
  expect(desk).toMatchObject({ has_more: true, unread: 26 })
  const { body: quiet } = await op(own, 'desk-list', { notifications: true })
  expect(quiet).toMatchObject({ rows: [{ title: 'Ping', what: 'notification' }], unread: 1 })
  await own.stop()
})

test('history lists the newest first, in pages, filtered by workspace', async () => {
  const ids = []
  for (const comments of ['One', 'Two', 'Three']) ids.push(await push({ comments }))
  const first = await bySocket(server, `/api/inbox/history?limit=2&workspaceId=${workspace}`)
  expect(first.body).toMatchObject({ hasMore: true, entries: [{ id: ids[2] }, { id: ids[1] }] })
  const [next] = await history(`?limit=1&before=${ids[1]}`)
  expect(next?.id).toBe(ids[0] as string)
  expect(await history('?before=unknown')).toEqual([])
  expect(await history('?workspaceId=other')).toEqual([])
  expect((await bySocket(server, '/api/inbox/history?limit=501')).status).toBe(400)
  // A form submits empty fields too.
  expect((await bySocket(server, '/api/inbox/history?bogus=1')).status).toBe(400)
  const all = await bySocket(server, '/api/inbox/history?limit=&before=&workspaceId=&form=')
  expect(all.body.entries).toEqual(await history())
  const odd = await bySocket(server, `/api/inbox/history?workspaceId=${'x'.repeat(500)}`)
  expect(odd.status).toBe(400)
  expect((odd.body.error as { message: string }).message).toStartWith('workspaceId ')
})

test('without tokens an agent can push from a workspace by its id, with documents as objects as in MCP', async () => {
  const docs = [{ path: 'report.md' }, './report.md']
  const pushed = await byPort(server, '/api/ops/push', { workspace, docs }, { as: 'cc' })
  expect(pushed).toMatchObject({ status: 200, body: { ok: true, workspace_id: workspace } })
  const [entry] = await history('?limit=1')
  expect(entry).toMatchObject({ agent: 'cc', docs: [{ path: 'report.md' }] })
  for (const bad of [[{ file: 'report.md' }], [{ path: 7 }], [null], { path: 'report.md' }]) {
    const no = await byPort(server, '/api/ops/push', { workspace, docs: bad }, { as: 'cc' })
    expect(no.status).toBe(400)
  }
})

test('read, unread, trash, restore, and delete each have an address', async () => {
  const id = await push({ comments: 'Handled' })
  const at = (path: string, method: string) =>
    bySocket(server, `/api/inbox/${id}${path}`, undefined, { method })
  const unread = async () => (await history()).find((entry) => entry.id === id)?.unread
  expect(await unread()).toBe(true)
  expect((await at('/read', 'PUT')).status).toBe(200)
  expect(await unread()).toBe(false)
  expect((await at('/read', 'DELETE')).status).toBe(200)
  expect(await unread()).toBe(true)
  expect((await at('/trash', 'POST')).status).toBe(200)
  expect(await unread()).toBe(undefined)
  expect((await history('?trashed=true')).map((entry) => entry.id)).toContain(id)
  expect((await at('/restore', 'POST')).status).toBe(200)
  expect((await at('', 'DELETE')).status).toBeLessThan(300)
  expect((await at('', 'GET')).status).toBe(404)
  expect((await at('', 'DELETE')).status).toBe(404)
})

test('deleted text does not remain in the store’s files', async () => {
  const store = server.stores[0]?.store as string
  const held = () =>
    [store, `${store}-wal`].filter((path) => readFileSync(path).includes('xyzzy-secret'))
  const id = await push({ comments: `xyzzy-secret ${'and more '.repeat(2000)}` })
  await bySocket(server, `/api/inbox/${id}/reply`, { comments: 'xyzzy-secret too' })
  // A reply the agent hasn't read outlives its push.
  await op(server, 'mail-mark-read', { all: true }, { as: 'Thesis' })
  expect(held()).not.toEqual([])
  expect((await bySocket(server, `/api/inbox/${id}`, undefined, { method: 'DELETE' })).status).toBe(
    200,
  )
  await until(async () => held().length === 0, 'the log of the store is empty')
})

test('a reply repeated with its key is sent once', async () => {
  const id = await push({ comments: 'Once?' })
  const call = { headers: { 'idempotency-key': 'reply-1' } }
  const once = () => bySocket(server, `/api/inbox/${id}/reply`, { comments: 'Once' }, call)
  const [first, second] = [await once(), await once()]
  expect(first.status).toBe(200)
  expect(second.body.message_id).toBe(first.body.message_id as string)
  const { body } = await bySocket(server, `/api/inbox/${id}`)
  expect(body.replies).toHaveLength(1)
  const other = await bySocket(server, `/api/inbox/${id}/reply`, { comments: 'Other' }, call)
  expect(other.status).toBe(409)
  const trash = { method: 'POST', headers: { 'idempotency-key': 'trash-1' } }
  const away = () => bySocket(server, `/api/inbox/${id}/trash`, undefined, trash)
  const [put, again] = [await away(), await away()]
  expect(again.text).toBe(put.text)
})

test('a new push reaches people on the event stream, but no other agent', async () => {
  const person = await listen(server)
  const agent = await listen(server, '', { as: 'nosy' })
  const id = await push({ comments: 'News' })
  await person.until((heard) => heard.some(({ data }) => data.thread_id === id))
  const sent = await op(server, 'send', { from: 'user', to: 'nosy', subject: 'For you' })
  const { thread_id } = sent.body.thread as { thread_id: string }
  await agent.until((heard) => heard.some(({ data }) => data.thread_id === thread_id))
  expect(agent.heard.some(({ data }) => data.thread_id === id)).toBe(false)
  for (const stream of [person, agent]) {
    stream.leave()
    await stream.ended
  }
})

test('a reply wakes the agent that pushed, and is passed to it', async () => {
  const notes = folder()
  const wake_command = JSON.stringify(commandOf('works', notes))
  await op(server, 'agent-register', { agent: 'sleeper', wake_command, status: 'dormant' })
  const pushed = await byPort(server, '/api/ops/push', { comments: 'Ready?' }, { as: 'sleeper' })
  const id = String(pushed.body.entry_id)
  await op(server, 'agent-status', { agent: 'sleeper', status: 'dormant' })
  const { body } = await bySocket(server, `/api/inbox/${id}/reply`, { comments: 'Go ahead' })
  expect(body).toMatchObject({ to: 'sleeper', reachable: true, wakes: true })
  const [turn] = await until(
    async () => notedTurns(notes).length > 0 && notedTurns(notes),
    'a turn',
  )
  expect(turn?.mail).toContain(String(body.message_id))
})

describe('documents', () => {
  const file = (id: string, path: string) =>
    bySocket(server, `/api/inbox/${id}/file?path=${encodeURIComponent(path)}`)

  test('text and images are shown, other types are downloads, and nothing runs', async () => {
    writeFileSync(join(home, 'page.html'), '<script>alert(1)</script>')
    writeFileSync(join(home, 'pic.svg'), '<svg onload="alert(1)"/>')
    writeFileSync(join(home, 'data.bin'), new Uint8Array([0, 1, 2]))
    writeFileSync(join(home, 'chart.png'), Buffer.from('89504e470d0a1a0a00', 'hex'))
    const id = await push({ docs: ['report.md'] })
    const seen = async (path: string) => {
      const { status, headers } = await file(id, path)
      const [how] = (headers.get('content-disposition') ?? '').split(';')
      expect(headers.get('content-security-policy')).toContain('sandbox')
      expect(headers.get('x-content-type-options')).toBe('nosniff')
      return [status, headers.get('content-type'), how]
    }
    expect((await file(id, 'report.md')).text).toBe('# Rates\n')
    const text = [200, 'text/plain; charset=utf-8', 'inline']
    for (const path of ['report.md', 'page.html', 'pic.svg']) expect(await seen(path)).toEqual(text)
    expect(await seen('data.bin')).toEqual([200, 'application/octet-stream', 'attachment'])
    expect(await seen('chart.png')).toEqual([200, 'image/png', 'inline'])
    // 1 MiB is still shown. One more byte makes it a download.
    for (const [name, bytes] of [
      ['full.md', 1_048_576],
      ['long.md', 1_048_577],
    ] as const) {
      writeFileSync(join(home, name), 'x'.repeat(bytes))
    }
    expect(await seen('full.md')).toEqual(text)
    expect(await seen('long.md')).toEqual([200, 'text/plain; charset=utf-8', 'attachment'])
    expect((await file(id, 'long.md')).text).toHaveLength(1_048_577)
  })

  test('missing files and folders are reported as states', async () => {
    const id = await push({ docs: ['report.md'] })
    const missing = await file(id, 'none.md')
    expect([missing.status, missing.body.ok, missing.body.state]).toEqual([200, true, 'missing'])
    expect(missing.headers.get('x-inbox-state')).toBe('missing')
    const bare = await op(server, 'push', { comments: 'Words' }, { as: 'wanderer' })
    const gone = await file(String(bare.body.entry_id), 'report.md')
    expect([gone.status, gone.body.state]).toEqual([200, 'gone'])
    expect((await file('none', 'report.md')).status).toBe(404)
  })

  test('no spelling of a path escapes the workspace', async () => {
    const id = await push({ docs: ['report.md'] })
    symlinkSync('../secret.txt', join(home, 'out.md'))
    symlinkSync('..', join(home, 'up'))
    symlinkSync('/dev/zero', join(home, 'zero'))
    execFileSync('mkfifo', [join(home, 'pipe')])
    const spellings = [
      '../secret.txt',
      '..%2fsecret.txt',
      '%2e%2e/secret.txt',
      '%2e%2e%2fsecret.txt',
      '..%252fsecret.txt',
      '..%5csecret.txt',
      '..\\secret.txt',
      '%00',
      'report.md%00.png',
      '/etc/passwd',
      '%2fetc%2fpasswd',
      'C:%5csecret.txt',
      '//host/share',
      '.%2e/secret.txt',
      'out.md',
      'up/secret.txt',
      'zero',
      'pipe',
      './../secret.txt',
      'a/../../secret.txt',
      '..%c0%afsecret.txt',
      '%uff0e%uff0e/secret.txt',
      '..;/secret.txt',
      '',
      '.',
      'up',
    ]
    const token = String((await op(server, 'token-issue', { name: 'user' })).body.token)
    for (const path of spellings) {
      const head = `GET /api/inbox/${id}/file?path=${path} HTTP/1.1\r\nHost: 127.0.0.1:${server.port}`
      const words = `${head}\r\nAuthorization: Bearer ${token}\r\nConnection: close\r\n\r\n`
      const { text, closed } = await rawly(server, words, { until: '\u0000never' })
      expect({ path, closed }).toEqual({ path, closed: true })
      expect([200, 400, 403]).toContain(statusIn(text))
      if (statusIn(text) === 200) expect(text).toMatch(/x-inbox-state: (missing|special)/i)
      expect(text).not.toContain('SECRET')
      expect(text).not.toContain('root:')
    }
  })

  test('a path swapped while it is read never leaks an outside file', async () => {
    mkdirSync(join(home, 'real'))
    writeFileSync(join(home, 'real/secret.txt'), 'open')
    const script = `
      const fs = require('node:fs')
      process.chdir(${JSON.stringify(home)})
      fs.symlinkSync('real', 'dir')
      process.stdout.write('ready')
      for (;;) for (const to of ['..', 'real']) { fs.symlinkSync(to, 'next'); fs.renameSync('next', 'dir') }`
    const swapper = Bun.spawn([process.execPath, '-e', script], { stdout: 'pipe' })
    try {
      await swapper.stdout.getReader().read()
      const id = await push({ comments: 'Swapped' })
      const seen = { open: 0, refused: 0 }
      for (let i = 0; i < 2000 || seen.open === 0 || seen.refused === 0; i++) {
        const { status, text } = await file(id, 'dir/secret.txt')
        expect(text).not.toContain('SECRET')
        if (status === 200) seen.open += 1
        else seen.refused += 1
        if (status === 200) expect(text).toBe('open')
      }
    } finally {
      swapper.kill('SIGKILL')
      await swapper.exited
      rmSync(join(home, 'dir'), { force: true })
    }
  })
})

test('a push records the session its program declared, unless it is invalid', async () => {
  const origin = async (headers: Record<string, string>) => {
    await op(server, 'push', { workspace, comments: 'From a session' }, { headers })
    const [entry] = (await history('?limit=1')) as (Entry & { origin: object })[]
    return entry?.origin
  }
  const declared = { 'x-inbox-backend': 'codex', 'x-inbox-session': '0199-ab' }
  expect(await origin(declared)).toEqual({ backend: 'codex', session: '0199-ab', folder: home })
  expect(await origin({ ...declared, 'x-inbox-session': '-c evil' })).toEqual({
    backend: 'codex',
    folder: home,
  })
  expect(await origin({ 'x-inbox-session': '0199-ab' })).toEqual({ folder: home })
})

test('a workspace renamed and then removed keeps its last name', async () => {
  const path = folder()
  const { body } = await op(server, 'workspace-add', { path, label: 'Draft' })
  const { workspace_id } = body.workspace as { workspace_id: string }
  const id = await push({ workspace: workspace_id, comments: 'From a draft' })
  await op(server, 'workspace-rename', { workspace: workspace_id, label: 'Final' })
  await op(server, 'workspace-remove', { workspace: workspace_id })
  const shown = await bySocket(server, `/api/inbox/${id}`)
  expect(shown.body.entry).toMatchObject({ workspaceLabel: 'Final', workspace: 'gone' })
})

describe('planted entries', () => {
  const plant = (entry: object, call = {}) => bySocket(server, '/api/inbox/seed', entry, call)

  test('are accepted only with --dev, and only from people', async () => {
    const seed = { workspaceId: workspace, docs: [{ path: 'report.md' }], comments: 'Planted' }
    expect((await plant(seed)).status).toBe(201)
    expect((await history('?limit=1'))[0]).toMatchObject({
      comments: 'Planted',
      workspaceLabel: 'Thesis',
      workspace: 'present',
    })
    expect((await plant(seed, { as: 'bob' })).status).toBe(403)
    const plain = await start()
    expect((await bySocket(plain, '/api/inbox/seed', seed)).status).toBe(404)
  })

  test('keep their id, time, workspace, label, and documents', async () => {
    const entry = {
      id: 'f0e1d2c3-0000-4000-8000-000000000001',
      ts: 1_700_000_000_000,
      workspaceId: 'ws-of-another-machine',
      workspaceLabel: 'Elsewhere',
      docs: [{ path: 'notes/a.md' }],
      comments: 'Long ago',
    }
    const planted = await plant(entry)
    expect([planted.status, planted.body.id]).toEqual([201, entry.id])
    const shown = await bySocket(server, `/api/inbox/${entry.id}`)
    expect(shown.body.entry).toMatchObject({ ...entry, workspace: 'gone', unread: true })
    const gone = await bySocket(server, `/api/inbox/${entry.id}/file?path=notes/a.md`)
    expect([gone.status, gone.body.state]).toEqual([200, 'gone'])
    // Repeating an entry changes nothing. A different one with the same id is refused.
    expect((await plant(entry)).status).toBe(200)
    const other = await plant({ ...entry, comments: 'Other' })
    expect([other.status, other.text]).toEqual([409, expect.stringContaining('choose another')])
  })

  test('are refused in terms of an entry', async () => {
    for (const [entry, why] of [
      [{}, 'neither docs nor comments'],
      [{ docs: [{}] }, 'a doc has no path'],
      [{ comments: 'x', ts: 'soon' }, 'ts '],
      [{ comments: 'x', id: '../x' }, 'id '],
    ] as const) {
      const { status, body } = await plant(entry)
      const { message } = body.error as { message: string }
      expect({ status, message }).toEqual({ status: 400, message: expect.stringContaining(why) })
      expect(message).toStartWith('this is not an entry: ')
      expect(message).not.toMatch(/line|file|--/)
    }
  })
})
