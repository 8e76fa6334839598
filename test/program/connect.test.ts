// Tests that the files written by install work unchanged: with a running server, and in folders without a store.

import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Client } from 'pg'
import { USUAL_SETS } from '../../src/core/principal.ts'
import { inShell, SHELL_COMMANDS, signInCommand } from '../../src/web/api/in-shell.ts'
import { type Serving, serve } from '../mcp/serving.ts'
import { CLIENTS, visit } from '../mcp/visitors.ts'
import { freshSchema, serverUrl } from '../worlds/server.ts'
import { until } from '../worlds/world.ts'
import { ask, folders, INBOX, run } from './process.ts'

const folder = folders()
const there = folder()
let server: Serving
beforeAll(async () => {
  server = await serve(there)
})
afterAll(async () => {
  await server.stop()
})

const STORE = '.agents/coord.db'

type Entry = { mcpServers: { mailroom: { url: string } } }
type Hooks = { hooks: Record<string, { hooks: { command: string }[] }[]> }

function read<T>(here: string, file: string): T {
  return JSON.parse(readFileSync(join(here, file), 'utf8')) as T
}

/** Runs the hook as the client does: through a shell, with only the arguments that were written. */
async function runHook(here: string, event: string, env: Record<string, string> = {}) {
  const { hooks } = read<Hooks>(here, '.claude/settings.json')
  const command = hooks[event]?.[0]?.hooks[0]?.command ?? ''
  return run(['-c', command], { folder: here, program: ['/bin/sh'], stdin: '{}', env })
}

function mail(to: string, body: string) {
  return ask(['mail', 'send', '--from', 'user', '--to', to, '--body', body], { folder: there })
}

test('an entry for a server names the agent and the sets of its tools', async () => {
  const here = folder()
  const url = `${server.url}/mcp`
  await ask(['install', 'claude', '--as', 'far', '--url', url, '--sets', 'mailbox'], {
    folder: here,
  })
  const { mailroom } = read<Entry>(here, '.mcp.json').mcpServers
  expect(mailroom.url).toBe(`${url}?agent=far&sets=mailbox`)
  const response = await fetch(mailroom.url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} }),
  })
  const answer = await response.text()
  expect(response.status).toBe(200)
  expect(answer).toContain('read_messages')
  expect(answer).not.toContain('thread_claim')
  expect(existsSync(join(here, STORE))).toBe(false)
})

test('an agent installed for a server uses only that server: tools, hooks and skills', async () => {
  const here = folder()
  const desk = folder()
  writeFileSync(join(desk, 'report.md'), '# Done')
  type Added = { workspace: { workspace_id: string } }
  const added = (await ask(['workspace', 'add', desk], { folder: there })) as unknown as Added
  const url = `${server.url}/mcp/${added.workspace.workspace_id}`
  // The agent is first installed for a local store. Installing it for the server removes the first install's skills.
  await ask(['install', 'claude', '--as', 'shower'], { folder: here })
  await ask(['install', 'claude', '--as', 'shower', '--url', url], { folder: here })
  const { mailroom } = read<Entry>(here, '.mcp.json').mcpServers
  expect(mailroom.url).toBe(`${url}?agent=shower&sets=${USUAL_SETS.join(',')}`)
  const visitor = await visit('v2 legacy', { kind: 'http', url: mailroom.url, agent: 'shower' })
  const tools = (await visitor.tools()).map(({ name }) => name)
  const skills = ['inbox', 'inbox-push', 'inbox-request', 'mailbox'].map((name) =>
    readFileSync(join(here, `.claude/skills/${name}/SKILL.md`), 'utf8'),
  )
  const named = skills.join('').match(/\b(?:thread|inbox|message)_[a-z_]+|\b[a-z]+_messages?\b/g)
  expect([...new Set(named)].filter((name) => !tools.includes(name))).toEqual([])
  expect(skills.join('')).not.toMatch(/^inbox /m)
  const words = { docs: [{ path: 'report.md' }], comments: 'Look' }
  expect((await visitor.call('inbox_push', words)).isError).toBeUndefined()
  const history = await ask(['push', 'history', '--from', 'shower'], { folder: there })
  expect(history).toMatchObject({ entries: [{ comments: 'Look', docs: [{ path: 'report.md' }] }] })
  const refused = await visitor.call('send_message', { type: 'status', to: 'user', body: 'Hi' })
  expect(refused.structuredContent).toMatchObject({
    error: { message: expect.stringContaining('show it with inbox_push') },
  })
  await mail('shower', 'Good')
  const { out } = await runHook(here, 'UserPromptSubmit')
  const { additionalContext } = JSON.parse(out).hookSpecificOutput
  expect(additionalContext).toContain('Good')
  expect(additionalContext).not.toContain("'inbox ")
  // The store that the first install created holds only its agent.
  expect(await ask(['mail', 'history'], { folder: here })).toMatchObject({ messages: [] })
  await visitor.close()
})

test("hooks of an entry for a server show the server's mail", async () => {
  const here = folder()
  const words = ['install', 'claude', '--as', 'distant', '--url', `${server.url}/mcp`]
  await ask(words, { folder: here })
  // The agent's first hook registers it, so that it can get mail.
  expect(await runHook(here, 'UserPromptSubmit')).toEqual({ code: 0, out: '{}\n', err: '' })
  await mail('distant', 'From afar')
  const { out } = await runHook(here, 'UserPromptSubmit')
  expect(JSON.parse(out).hookSpecificOutput.additionalContext).toContain('From afar')
  expect(existsSync(join(here, STORE))).toBe(false)
})

test('with a token, the token identifies the agent, in hooks too', async () => {
  const here = folder()
  type Issued = { token: string }
  const { token } = (await ask(['token', 'issue', 'holder'], {
    folder: there,
  })) as unknown as Issued
  const more = ['--url', `${server.url}/mcp`, '--token-variable', 'MAILROOM_TOKEN']
  await ask(['install', 'claude', ...more], { folder: here })
  expect(read<Entry>(here, '.mcp.json').mcpServers.mailroom.url).toBe(
    `${server.url}/mcp?sets=${USUAL_SETS.join(',')}`,
  )
  const env = { MAILROOM_TOKEN: token }
  expect((await runHook(here, 'Stop', env)).out).toBe('{}\n')
  await mail('holder', 'For the token')
  expect(JSON.parse((await runHook(here, 'Stop', env)).out)).toMatchObject({ decision: 'block' })
  const none = await runHook(here, 'Stop')
  expect(none).toMatchObject({ code: 0, out: '{}\n' })
  expect(none.err).toContain('MAILROOM_TOKEN')
  const wrong = await runHook(here, 'Stop', { MAILROOM_TOKEN: 'mr_x' })
  expect(wrong).toMatchObject({ code: 0, out: '{}\n', err: expect.stringContaining('token') })
})

test("a server's mail that a hook could not print is shown again, for either event", async () => {
  const here = folder()
  const states = async () => {
    const words = ['mail', 'peek', '--agent=unheard', '--all']
    const { messages } = (await ask(words, { folder: there })) as unknown as {
      messages: { state: string }[]
    }
    return messages.map(({ state }) => state)
  }
  const hook = (event: string, program?: string[]) => {
    const words = ['hook', '--client=claude', `--event=${event}`, '--agent=unheard']
    return run([...words, `--url=${server.url}/mcp`], { folder: here, ...(program && { program }) })
  }
  const full = ['/bin/sh', '-c', '"$0" "$@" > /dev/full', INBOX]
  await hook('start')
  await mail('unheard', 'From afar')
  for (const event of ['start', 'stop']) {
    expect((await hook(event, full)).code).toBe(50)
    expect([event, await states()]).toEqual([event, ['queued']])
  }
  expect((await hook('stop')).out).toContain('From afar')
  expect(await states()).toEqual(['presented'])
  expect((await hook('stop')).out).toBe('{}\n')
})

test("an unreachable server does not delay an agent's turn", async () => {
  const words = ['hook', '--client', 'claude', '--event', 'stop', '--agent', 'a']
  const ran = await run([...words, '--url', 'http://127.0.0.1:1/mcp'], { folder: folder() })
  expect(ran).toMatchObject({ code: 0, out: '{}\n', err: expect.stringContaining('no answer') })
})

test.each([
  [['--url', 'http://127.0.0.1:4000'], '/mcp'],
  [['--url', 'http://127.0.0.1:4000/mcp', '--db', 'x.db'], 'cannot be combined'],
])('install %p cannot connect and is refused', async (words, says) => {
  const ran = await run(['install', 'claude', ...words], { folder: folder() })
  expect(ran).toMatchObject({ code: 30, err: expect.stringContaining(says) })
})

test("install creates a project's store and registers the agent in it", async () => {
  const here = folder()
  await run(['install', 'claude', '--as', 'painter'], { folder: here })
  const { agents } = (await ask(['agent', 'list'], { folder: here })) as unknown as {
    agents: { agent_id: string }[]
  }
  expect(agents).toMatchObject([{ agent_id: 'painter' }])
  // It can get mail from the start.
  await ask(['mail', 'send', '--from', 'user', '--to', 'painter', '--body', 'Hi'], { folder: here })
})

test('uninstall, hooks, a dry run and a user-wide install create no store', async () => {
  const here = folder()
  await run(['install', 'claude', '--dry-run'], { folder: here })
  expect(readdirSync(here)).toEqual([])
  const forAll = await run(['install', 'claude', '--scope', 'user'], { folder: here })
  expect(forAll.code).toBe(0)
  expect(await runHook(here, 'UserPromptSubmit')).toEqual({ code: 0, out: '{}\n', err: '' })
  await run(['uninstall', 'claude', '--scope', 'user'], { folder: here })
  expect(existsSync(join(here, STORE))).toBe(false)
  const ran = await run(['sign-in'], { folder: here })
  expect(ran).toMatchObject({ code: 40, err: expect.stringContaining('--db') })
  expect(existsSync(join(here, STORE))).toBe(false)
})

test('read-only tools and failed calls create no store, but the first call that may change something does', async () => {
  const here = folder()
  const visitor = await visit('v2 modern', { kind: 'stdio', folder: here, agent: 'first' })
  expect((await visitor.tools()).map(({ name }) => name)).toContain('read_messages')
  for (const look of ['list_agents', 'read_messages', 'thread_fetch', 'list_agents']) {
    const { isError, structuredContent } = await visitor.call(look)
    expect(isError).toBeUndefined()
    // Agents that only called read tools aren't registered, because nothing was stored.
    if (look === 'list_agents') expect(structuredContent).toMatchObject({ agents: [] })
  }
  const lost = { thread: 'thr_1', summary: 'Done' }
  expect((await visitor.call('thread_done', lost)).isError).toBe(true)
  expect((await visitor.call('send_message', { body: 'Hi' })).isError).toBe(true)
  expect(existsSync(join(here, STORE))).toBe(false)
  const sent = await visitor.call('send_message', { to: 'first', body: 'Hi' })
  expect(sent.isError).toBeUndefined()
  expect(existsSync(join(here, STORE))).toBe(true)
  const { structuredContent } = await visitor.call('read_messages')
  expect(structuredContent).toMatchObject({ messages: [{ body: 'Hi' }] })
  await visitor.close()
})

test('over stdio, a wait creates the store and returns mail from another process', async () => {
  const here = folder()
  const visitor = await visit('v2 modern', { kind: 'stdio', folder: here, agent: 'first' })
  const waiting = visitor.call('read_messages', { timeoutSeconds: 40 })
  const known = async () =>
    existsSync(join(here, STORE)) &&
    (await run(['agent', 'list'], { folder: here })).out.includes('first')
  await until(known, 'a waiter that is known in its store')
  await ask(['mail', 'send', '--from=user', '--to=first', '--body=There'], { folder: here })
  expect((await waiting).structuredContent).toMatchObject({ messages: [{ body: 'There' }] })
  await visitor.close()
})

describe.each([...CLIENTS])('over stdio without a store, client %s', (client) => {
  test('reading and subscribing create no store, and a subscriber is notified once another process creates one', async () => {
    const here = folder()
    const visitor = await visit(client, { kind: 'stdio', folder: here, agent: 'early' })
    const unread = async () => JSON.parse(await visitor.resource('inbox://unread'))
    const nothing = { messages: [], unread: 0, nextEventId: 0, hasMore: false }
    expect(await unread()).toMatchObject(nothing)
    const news = Promise.withResolvers<void>()
    await visitor.follow('inbox://unread', news.resolve)
    expect(await unread()).toMatchObject({ unread: 0 })
    expect(readdirSync(here)).toEqual([])
    await ask(['agent', 'register', 'early'], { folder: here })
    await ask(['mail', 'send', '--from', 'user', '--to', 'early', '--body', 'First'], {
      folder: here,
    })
    await news.promise
    expect(await unread()).toMatchObject({ unread: 1, messages: [{ body: 'First' }] })
    await visitor.close()
  })
})

test('a missing PostgreSQL store is not created either', async () => {
  const here = folder()
  const { address, name } = freshSchema()
  const env = { INBOX_DB: address }
  const hook = ['hook', '--client', 'claude', '--event', 'start', '--agent', 'a']
  expect(await run(hook, { folder: here, env })).toEqual({ code: 0, out: '{}\n', err: '' })
  const signIn = await run(['sign-in'], { folder: here, env })
  expect(signIn).toMatchObject({ code: 40, out: '', err: expect.stringContaining('--db') })
  const visitor = await visit('v1', {
    kind: 'stdio',
    folder: here,
    agent: 'a',
    args: ['--db', address],
  })
  expect(JSON.parse(await visitor.resource('inbox://unread'))).toMatchObject({ unread: 0 })
  await visitor.close()
  const client = new Client({ connectionString: serverUrl() })
  await client.connect()
  const { rows } = await client.query('select 1 from pg_namespace where nspname = $1', [name])
  await client.end()
  expect(rows).toEqual([])
})

test('tools and hooks use the named store, however it is named', async () => {
  const here = folder()
  const entry = () => readFileSync(join(here, '.cursor/mcp.json'), 'utf8')
  const hooks = () => readFileSync(join(here, '.cursor/hooks.json'), 'utf8')
  await ask(['install', 'cursor', '--db', 'mine.db'], { folder: here })
  expect(entry()).toContain(`"--db",\n`)
  expect(entry()).toContain(`"${join(here, 'mine.db')}"`)
  expect(hooks()).toContain(`--db ${join(here, 'mine.db')}`)
  await ask(['install', 'cursor'], { folder: here, env: { INBOX_DB: join(here, 'other.db') } })
  expect(entry()).toContain(`"${join(here, 'other.db')}"`)
  // In a shell, the command would find another store, so the skills refer to the tools.
  const skill = readFileSync(join(here, '.cursor/skills/inbox-push/SKILL.md'), 'utf8')
  expect(skill).toContain('Do not run `inbox` in a shell')
})

test.each(['--db', 'INBOX_DB'])('a password in %s is not written into files', async (by) => {
  const here = folder()
  const address = 'postgres://inbox:secret@127.0.0.1:1/mailroom'
  const words = ['install', 'cursor', '--dry-run']
  const ran = await run(by === '--db' ? [...words, '--db', address] : words, {
    folder: here,
    env: by === '--db' ? {} : { INBOX_DB: address },
  })
  expect(ran).toMatchObject({ code: 30, err: expect.stringContaining(`${by} holds a password`) })
  expect(`${ran.out}${ran.err}`).not.toContain('secret')
})

test('an installed agent can get mail before its first call', async () => {
  const here = folder()
  await ask(['init'], { folder: here })
  await ask(['install', 'codex', '--as', 'builder'], { folder: here })
  await ask(['mail', 'send', '--from', 'user', '--to', 'builder', '--body', 'Hello'], {
    folder: here,
  })
  type Agents = { agents: { agent_id: string; source: string; may_write_to_user: boolean }[] }
  const { agents } = (await ask(['agent', 'list'], { folder: here })) as unknown as Agents
  expect(agents).toMatchObject([{ agent_id: 'builder', source: 'codex', may_write_to_user: false }])
  // With --db, it registers the agent in the named store, not in the nearest one.
  const named = join(here, 'other.db')
  await ask(['init', '--db', named], { folder: here })
  await ask(['install', 'codex', '--as', 'other', '--db', named], { folder: here })
  const found = await ask(['agent', 'list', '--db', named], { folder: here })
  expect(found).toMatchObject({ agents: [{ agent_id: 'other' }] })
})

test('the page for signed-out browsers shows a command that works in any folder', async () => {
  const page = await (await fetch(`${server.url}/sign-in`)).text()
  const command = /<pre>(.+)<\/pre>/.exec(page)?.[1] ?? ''
  const elsewhere = folder()
  // The program isn't on the PATH there.
  const signIn = await run(['-c', command.replaceAll('&#39;', "'")], {
    folder: elsewhere,
    program: ['/bin/sh'],
  })
  expect(signIn).toMatchObject({ code: 0, err: '' })
  expect(signIn.out).toContain(`${server.url}/sign-in?code=`)
  expect(readdirSync(elsewhere)).toEqual([])
  const nobody = ['sign-in', '--server', 'http://127.0.0.1:1', '--db', join(there, STORE)]
  const unheard = await run(nobody, { folder: elsewhere })
  expect(unheard).toMatchObject({ code: 0, err: expect.stringContaining('nothing answers') })
})

test('the server tells the page how to connect an agent, with and without files to push', async () => {
  const here = folder()
  type Given = { token: string; workspace: { workspace_id: string } }
  const { token } = (await ask(['token', 'issue', 'user'], { folder: there })) as unknown as Given
  const headers = { authorization: `Bearer ${token}` }
  const { connect } = (await (await fetch(`${server.url}/api/me`, { headers })).json()) as {
    connect: { agent: string[]; workspace: string[] }
  }
  const lines = [...connect.agent, ...connect.workspace]
  const commands = lines.map((line) => line.replaceAll("'", '').match(/^\S*inbox (.+)$/) ?? [])
  const typed = (command: RegExp, WORKSPACE = '') => {
    const line = commands.map(([, words = '']) => words).find((words) => command.test(words))
    return (line ?? '').replace('NAME', 'pagereader').replace('WORKSPACE', WORKSPACE).split(' ')
  }
  await ask(typed(/^install .*mcp$/), { folder: here })
  expect(read<Entry>(here, '.mcp.json').mcpServers.mailroom.url).toStartWith(`${server.url}/mcp?`)
  const added = (await ask(typed(/^workspace add/), { folder: here })) as unknown as Given
  const id = added.workspace.workspace_id
  await ask(typed(/^install .*WORKSPACE$/, id), { folder: here })
  const { url } = read<Entry>(here, '.mcp.json').mcpServers.mailroom
  expect(url).toBe(`${server.url}/mcp/${id}?agent=pagereader&sets=${USUAL_SETS.join(',')}`)
})

test('every command that the page shows works in any folder, as copied', async () => {
  type Given = { token: string }
  await ask(['person', 'add', 'bea'], { folder: there })
  const issued = await ask(['token', 'issue', 'user:bea'], { folder: there })
  const headers = { authorization: `Bearer ${(issued as unknown as Given).token}` }
  type Me = { program: string; db: string; principal: { name: string } }
  const me = (await (await fetch(`${server.url}/api/me`, { headers })).json()) as Me
  const elsewhere = folder()
  const typed = async (line: string) => {
    const command = line
      .replace('NAME', 'ann')
      .replace('FOLDER', elsewhere)
      .replace('PROGRAM', '/bin/true')
      .replace('TYPE', 'config_change')
    const ran = await run(['-c', command], { folder: elsewhere, program: ['/bin/sh'] })
    expect([command, ran]).toMatchObject([command, { code: 0 }])
    return ran.out
  }
  const words = [...Object.values(SHELL_COMMANDS), 'prune --dry-run']
  const said: Record<string, string> = {}
  for (const one of words) said[one] = await typed(inShell(me, one))
  // The commands ran on the server's store.
  expect(said['token list']).toContain('bea')
  expect(said['wake allow']).toContain('/bin/true')
  // The link is for the person who was signed in before.
  expect(signInCommand(me)).toContain(' sign-in user:bea ')
  expect(await typed(signInCommand(me))).toContain(`${server.url}/sign-in?code=`)
  expect(existsSync(join(elsewhere, STORE))).toBe(false)
})
