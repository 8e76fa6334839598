// A token limited to one workspace or to some sets allows the same at every door, and no more.

import { beforeAll, describe, expect, test } from 'bun:test'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { post } from '../mcp/wire.ts'
import { byPort, type Heard, listen, op, type Running, servers, tokenFor } from './serving.ts'

const { start, folder } = servers()
let server: Running
let red: string
let blue: string
let redPush: string
let bluePush: string

beforeAll(async () => {
  server = await start({ args: ['--auth', 'tokens'] })
  const add = async (label: string) => {
    const path = folder()
    writeFileSync(join(path, 'a.md'), `file of ${label}`)
    const { body } = await op(server, 'workspace-add', { path, label, default_agent: 'ann' })
    return (body.workspace as { workspace_id: string }).workspace_id
  }
  red = await add('red')
  blue = await add('blue')
  redPush = await pushed(red, 'red comment')
  bluePush = await pushed(blue, 'blue comment')
  await op(server, 'mail-send', { to: 'ann', subject: 'some mail' })
  await op(server, 'send', { to: 'ann', subject: 'some work' })
})

/** Maps each push to its workspace. */
const entries = new Map<string, string>()

async function pushed(workspace: string, comments: string): Promise<string> {
  const { body } = await op(server, 'push', { workspace, comments, docs: ['a.md'] })
  entries.set(String(body.entry_id), workspace)
  return String(body.entry_id)
}

describe('a person’s token for one workspace', () => {
  let token: string
  beforeAll(async () => {
    token = await tokenFor(server, { name: 'user', workspace: red })
  })
  const ask = (path: string, method = 'GET', body?: object) =>
    byPort(server, path, body, { token, method })

  test('shows the workspace’s pushes, with their documents and unread count', async () => {
    const { body } = await ask('/api/inbox/history')
    expect(body).toMatchObject({ entries: [{ id: redPush, comments: 'red comment' }], unread: 1 })
    expect((await ask(`/api/inbox/${redPush}`)).status).toBe(200)
    expect((await ask(`/api/inbox/${redPush}/file?path=a.md`)).text).toBe('file of red')
    const read = await ask(`/api/inbox/${redPush}/read`, 'PUT')
    expect(read.body).toMatchObject({ changed: [redPush], unread: 0 })
    expect((await ask(`/api/inbox/${redPush}/read`, 'DELETE')).body).toMatchObject({ unread: 1 })
  })

  test('cannot reach another workspace by any endpoint', async () => {
    const entry = `/api/inbox/${bluePush}`
    for (const [method, path, body] of [
      ['GET', entry],
      ['GET', `${entry}/file?path=a.md`],
      ['GET', `${entry}/resume`],
      ['PUT', `${entry}/read`],
      ['DELETE', `${entry}/read`],
      ['POST', `${entry}/trash`],
      ['POST', `${entry}/restore`],
      ['DELETE', entry],
      ['POST', `${entry}/reply`, { comments: 'Yes' }],
      ['POST', '/api/ops/push-show', { entry: bluePush }],
      ['POST', '/api/ops/push-file', { entry: bluePush, path: 'a.md' }],
      ['POST', '/api/ops/push-watch', { entry: bluePush, path: 'a.md', sha256: 'x' }],
      ['POST', '/api/ops/push-trash', { entries: [redPush, bluePush] }],
    ] as [string, string, object?][]) {
      const { status, text } = await ask(path, method, body)
      expect({ method, path, status }).toEqual({ method, path, status: 404 })
      expect(text).not.toContain('blue')
    }
    const other = await ask(`/api/inbox/history?workspaceId=${blue}`)
    expect(other.body).toMatchObject({ entries: [], unread: 1 })
    const { body } = await op(server, 'push-history', {})
    expect(body).toMatchObject({ entries: [{ trashed_at: null }, { trashed_at: null }] })
  })

  test('cannot read mail, work, or other workspaces’ lists', async () => {
    for (const [name, input] of [
      ['mail-peek', {}],
      ['mail-history', {}],
      ['desk-list', {}],
      ['list', {}],
      ['status', {}],
      ['show', { thread: redPush }],
      ['watch', { timeout_seconds: 1 }],
      ['push', { workspace: blue, comments: 'Hi' }],
      ['agent-status', { agent: 'ann', status: 'off' }],
      ['agent-register', { agent: 'ann', role: 'builder' }],
    ] as const) {
      const { status } = await ask(`/api/ops/${name}`, 'POST', input)
      expect({ name, status }).toEqual({ name, status: 403 })
    }
    const { body } = await ask('/api/ops/workspace-list', 'POST', {})
    expect(body.workspaces).toMatchObject([{ workspace_id: red }])
  })

  test('opens the tools of only that workspace', async () => {
    const headers = { authorization: `Bearer ${token}` }
    const listing = { jsonrpc: '2.0', id: 1, method: 'tools/list' }
    const at = async (path: string) => {
      const { status, text } = await post(server as never, listing, { headers, path })
      return { status, names: [...text.matchAll(/"name":"(\w+)"/g)].map(([, name]) => name) }
    }
    expect((await at(`/mcp/${blue}`)).status).toBe(403)
    const own = await at(`/mcp/${red}`)
    expect(await at('/mcp')).toEqual(own)
    expect(own.status).toBe(200)
    expect(own.names).toContain('inbox_read')
    expect(own.names.join()).not.toMatch(/message|thread/)
  })

  test('cannot be issued with sets other than workspace', async () => {
    const input = { name: 'user', workspace: red, sets: ['workspace', 'mailbox'] }
    expect((await op(server, 'token-issue', input)).status).toBe(400)
    expect((await op(server, 'token-issue', { ...input, name: 'ann' })).status).toBe(200)
  })
})

/** Creates some events of every kind, in this order. */
async function story(): Promise<void> {
  const [one, two] = [await pushed(red, 'red news'), await pushed(blue, 'blue news')]
  for (const entry of [two, one]) {
    await op(server, 'push-reply', { entry, comments: 'Well' })
    for (const act of ['read', 'unread', 'trash', 'restore', 'trash', 'delete']) {
      await op(server, `push-${act}`, { entries: [entry] })
    }
  }
  await op(server, 'agent-register', { agent: 'bob', status: 'idle' })
  await op(server, 'person-add', { name: `p${one.slice(0, 8)}` })
  await op(server, 'workspace-rename', { workspace: red, label: `red ${one.slice(0, 8)}` })
  await op(server, 'token-revoke', { token: await tokenFor(server, { name: 'bob' }) })
  await op(server, 'mail-send', { to: 'ann', subject: 'mail news' })
  const mail = await op(server, 'mail-send', { to: 'bob', subject: 'not for ann' })
  const { thread_id: theirs } = mail.body.message as { thread_id: string }
  await op(server, 'show', { thread: theirs, mark_read: true })
  const { body } = await op(server, 'send', { to: 'bob', subject: 'work news' })
  const { thread_id: thread } = body.thread as { thread_id: string }
  await op(server, 'cancel', { thread, reason: 'No' })
  // These come last, so that every stream ends with one of them.
  await op(server, 'push-restore', { entries: [bluePush] })
  await op(server, 'push-trash', { entries: [bluePush] })
  await op(server, 'push-trash', { entries: [redPush] })
  await op(server, 'push-restore', { entries: [redPush] })
  await op(server, 'mail-send', { to: 'ann', subject: 'the end' })
  await op(server, 'send', { to: 'ann', subject: 'the end' })
}

const OF_SET = { workspace: /^push_/, mailbox: /^(mail|delivery)_/, threads: /^thread_(?!read)/ }
type Limit = { name: string; service?: true; workspace?: 'red'; sets?: (keyof typeof OF_SET)[] }

const LISTENERS: Limit[] = [
  { name: 'user', workspace: 'red' },
  { name: 'ci', service: true, workspace: 'red' },
  ...(['workspace', 'mailbox', 'threads'] as const).flatMap((set): Limit[] => [
    { name: 'user', sets: [set] },
    { name: 'ci', service: true, sets: [set] },
    { name: 'ann', sets: [set] },
    { name: 'ann', sets: [set], workspace: 'red' },
  ]),
  { name: 'user', sets: ['mailbox', 'threads'] },
  { name: 'ann', workspace: 'red' },
]

test('a stream carries only events its token allows, live or replayed', async () => {
  const issued = LISTENERS.map(({ workspace, ...limit }) =>
    tokenFor(server, { ...limit, ...(workspace && { workspace: red }) }),
  )
  const tokens = await Promise.all(issued)
  const streamFor = (token: string, query: string) =>
    listen(server, query, { headers: { authorization: `Bearer ${token}` } })
  const live = await Promise.all(tokens.map((token) => streamFor(token, '')))
  const begin = await endOfLog()
  await story()
  const end = await endOfLog()
  const everything = await listen(server, '?after=0')
  await everything.until((heard) => Number(heard.at(-1)?.id) >= end)
  everything.leave()
  for (const [at, limit] of LISTENERS.entries()) {
    const token = tokens[at] as string
    const past = await streamFor(token, '?after=0')
    for (const [stream, from] of [
      [past, 0],
      [live[at] as typeof past, begin],
    ] as const) {
      const all = everything.heard.filter((one) => one.id > from && isFor(limit, one))
      // Within its limits, an agent hears about its deliveries and about what others do in its threads.
      const isAgent = limit.name === 'ann'
      const last = isAgent ? all.findLast(({ data }) => isForAnn(data)) : all.at(-1)
      await stream.until((heard) => heard.some(({ id }) => id === last?.id))
      stream.leave()
      const foreign = stream.heard.filter((one) => !isFor(limit, one))
      expect({ limit, from, foreign }).toEqual({ limit, from, foreign: [] })
      if (isAgent) expect(JSON.stringify(stream.heard)).not.toContain('not for ann')
      else expect(stream.heard.map(({ id }) => id)).toEqual(all.map(({ id }) => id))
    }
    if (limit.workspace === undefined) continue
    const other = `/api/events?workspace=${blue}`
    expect((await byPort(server, other, undefined, { token })).status).toBe(403)
  }
})

async function endOfLog(): Promise<number> {
  return Number((await op(server, 'push-history', {})).body.next_event_id)
}

/** Whether the token's sets and workspace include the event. */
function isFor({ name, workspace, sets }: Limit, { data }: Heard): boolean {
  const own = workspace !== undefined && name !== 'ann' ? (['workspace'] as const) : sets
  const type = String(data.event_type)
  if (own !== undefined && !own.some((set) => OF_SET[set].test(type))) return false
  const from = entries.get(String(data.thread_id))
  return workspace === undefined || from === undefined || from === red
}

function isForAnn({ summary, event_type, thread_id }: Heard['data']): boolean {
  return summary === 'the end' || (event_type === 'push_restore' && thread_id === redPush)
}
