// Programs tell hooks their session id, so a push made during a turn can lead a person back to that session.

import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { type Serving, serve } from '../mcp/serving.ts'
import { visit } from '../mcp/visitors.ts'
import { freshSchema } from '../worlds/server.ts'
import { type Around, ask, folders, INBOX, run } from './process.ts'

const folder = folders()

type Origin = { backend?: string; session?: string; folder?: string }

async function told<T>(words: string[], around: Around): Promise<T> {
  return (await ask(words, around)) as unknown as T
}

async function hook(around: Around, client: string, event: string, said: string | object) {
  const stdin = typeof said === 'string' ? said : JSON.stringify(said)
  const words = ['hook', '--client', client, '--event', event, '--agent', 'painter']
  const ran = await run(words, { ...around, stdin })
  expect(ran).toMatchObject({ code: 0, err: '' })
}

async function originOf(around: Around, entry: string): Promise<Origin> {
  return (await told<{ entry: { origin: Origin } }>(['push', 'show', entry], around)).entry.origin
}

async function pushed(around: Around): Promise<Origin> {
  const words = ['push', '--agent', 'painter', '--comments', 'Look']
  return originOf(around, (await told<{ entry_id: string }>(words, around)).entry_id)
}

test('the same mail never holds a program twice in a row, but new mail does', async () => {
  const here = { folder: folder() }
  const stop = async (stop_hook_active: boolean) => {
    const stdin = JSON.stringify({ session_id: 's-1', stop_hook_active })
    const words = ['hook', '--client=claude', '--event=stop', '--agent=painter']
    return (await run(words, { ...here, stdin })).out
  }
  const mail = (body: string) =>
    ask(['mail', 'send', '--from=user', '--to=painter', `--body=${body}`], here)
  await ask(['agent', 'register', 'painter'], here)
  await mail('First')
  expect(await stop(false)).toContain('"decision":"block"')
  expect(await stop(true)).toBe('{}\n')
  expect(await stop(false)).toBe('{}\n')
  await mail('Second')
  expect(await stop(true)).toContain('Second')
  expect(await stop(true)).toBe('{}\n')
})

const STORES = { SQLite: () => ({}), PostgreSQL: () => ({ INBOX_DB: freshSchema().address }) }

describe.each(Object.entries(STORES))('%s', (_, environment) => {
  async function desk(): Promise<Around> {
    const around = { folder: folder(), env: environment() }
    await ask(['workspace', 'add', around.folder], around)
    return around
  }

  test('a push names its session during a turn, if only one session is open', async () => {
    const here = await desk()
    expect(await pushed(here)).toEqual({ folder: here.folder })
    await hook(here, 'gemini', 'start', { session_id: 's-1' })
    expect(await pushed(here)).toEqual({ backend: 'gemini', session: 's-1', folder: here.folder })
    // Mail that arrives before the stop holds the session, so the turn continues.
    await ask(['mail', 'send', '--from', 'user', '--to', 'painter', '--body', 'b'], here)
    await hook(here, 'gemini', 'stop', { session_id: 's-1' })
    expect(await pushed(here)).toMatchObject({ session: 's-1' })
    await hook(here, 'opencode', 'start', { session_id: 's-2' })
    expect(await pushed(here)).toEqual({ folder: here.folder })
    await hook(here, 'gemini', 'stop', { session_id: 's-1' })
    expect(await pushed(here)).toMatchObject({ backend: 'opencode', session: 's-2' })
    // Opencode is idle by then. If there is mail, it begins another turn, unless its process ends first.
    await ask(['mail', 'send', '--from', 'user', '--to', 'painter', '--body', 'b'], here)
    await hook(here, 'opencode', 'stop', { session_id: 's-2' })
    expect(await pushed(here)).toEqual({ folder: here.folder })
  })

  test('a push leads back to the folder in which the session began', async () => {
    const here = await desk()
    const inner = join(here.folder, 'inner')
    mkdirSync(inner)
    const there = { ...here, folder: inner, env: { ...here.env, HOME: here.folder } }
    const env = { ...here.env, INBOX_BACKEND: 'claude', INBOX_SESSION: 'c-1' }
    expect(await pushed({ ...here, env })).toMatchObject({ session: 'c-1', folder: here.folder })
    await hook(there, 'claude', 'start', { session_id: 'c-1' })
    expect(await pushed({ ...here, env })).toMatchObject({ session: 'c-1', folder: inner })
    // INBOX_SESSION names a session other than the current one.
    const other = { ...env, INBOX_SESSION: 'c-2' }
    expect(await pushed({ ...here, env: other })).toMatchObject({
      session: 'c-2',
      folder: here.folder,
    })
  })
})

test('invalid session input to a hook is ignored', async () => {
  const here = { folder: folder() }
  for (const said of ['', 'no JSON', '[]', '7', 'null', { session_id: '--evil' }, {}]) {
    await hook(here, 'claude', 'start', said)
    expect(await pushed(here)).toEqual({ folder: here.folder })
  }
  // Cursor uses a different name for the session id, and reports only the start of the first turn.
  await hook(here, 'cursor', 'start', { conversation_id: 'k-1' })
  await hook(here, 'cursor', 'stop', { conversation_id: 'k-1' })
  expect(await pushed(here)).toMatchObject({ backend: 'cursor', session: 'k-1' })
})

test('a program that leaves the input open does not keep a hook waiting', async () => {
  const here = folder()
  await ask(['init'], { folder: here })
  const words = ['hook', '--client', 'claude', '--event', 'start', '--agent', 'painter']
  const child = Bun.spawn([INBOX, ...words], {
    cwd: here,
    env: { HOME: here },
    stdin: 'pipe',
    stdout: 'pipe',
  })
  expect([await child.exited, await new Response(child.stdout).text()]).toEqual([0, '{}\n'])
})

describe('over MCP', () => {
  const there = folder()
  let server: Serving
  let workspace: { workspace_id: string; path: string }
  beforeAll(async () => {
    server = await serve(there)
    const around = { folder: there }
    workspace = (await told<{ workspace: typeof workspace }>(['workspace', 'add', there], around))
      .workspace
  })
  afterAll(() => server.stop())

  test.each(['stdio', 'http'] as const)(
    '%s: a push names the session that the hooks report',
    async (kind) => {
      const here = { folder: there }
      const url = `${server.url}/mcp/${workspace.workspace_id}?agent=painter`
      const visitor = await visit(
        'v1',
        kind === 'stdio'
          ? { kind, folder: there, agent: 'painter', program: 'gemini-cli-mcp-client' }
          : { kind, url, agent: 'painter', program: 'gemini-cli-mcp-client' },
      )
      const origin = async () => {
        const { structuredContent } = await visitor.call('inbox_push', { comments: 'Look' })
        return originOf(here, (structuredContent as { entry_id: string }).entry_id)
      }
      const known = { backend: 'gemini', folder: there }
      expect(await origin()).toEqual(known)
      const words = ['hook', '--client', 'gemini', '--agent', 'painter']
      const more = kind === 'http' ? ['--url', url] : []
      const say = async (event: string) => {
        const around = { ...here, stdin: '{"session_id":"g-1"}' }
        expect(await run([...words, '--event', event, ...more], around)).toMatchObject({ code: 0 })
      }
      await say('start')
      expect(await origin()).toMatchObject({ backend: 'gemini', session: 'g-1', folder: there })
      await say('stop')
      expect(await origin()).toEqual(known)
      await visitor.close()
    },
  )
})
