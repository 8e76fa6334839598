// An agent with backend `sdk` at work: a scripted model over real HTTP, and Mailroom's own tools.

import { afterAll, describe, expect, test } from 'bun:test'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { backendOf, type TurnLine, type TurnTask } from '../../src/backends/backend.ts'
import { CHAT } from '../clients/chat.ts'
import { plainEvents } from '../clients/dialect.ts'
import { MESSAGES } from '../clients/messages.ts'
import { type Act, type Model, models, type Script } from '../clients/model.ts'
import { ask, folders, INBOX } from '../program/process.ts'

const folder = folders()
const model = models()

/** A model at each kind of address, with the environment variables that point to it. */
const PLACES: Record<string, () => { model: Model; id: string; env: Record<string, string> }> = {
  anthropic() {
    const at = model(MESSAGES)
    const env = { ANTHROPIC_API_KEY: 'secret-key', ANTHROPIC_BASE_URL: at.url }
    return { model: at, id: 'anthropic/claude-sonnet-4-5', env }
  },
  openai() {
    const at = model(CHAT)
    const env = { OPENAI_API_KEY: 'secret-key', OPENAI_BASE_URL: `${at.url}/v1` }
    return { model: at, id: 'openai/gpt-5', env }
  },
  'a custom server'() {
    const at = model(CHAT)
    return { model: at, id: 'mine/some/model', env: { MINE_BASE_URL: `${at.url}/v1` } }
  },
}

async function turnIn(place: ReturnType<(typeof PLACES)[string]>, more: Partial<TurnTask> = {}) {
  const here = folder()
  const db = join(here, 'inbox.db')
  const told: TurnLine[] = []
  const cwd = join(here, 'work')
  const own = join(here, 'own')
  mkdirSync(cwd)
  mkdirSync(own)
  const { HOME = here, PATH = '' } = process.env
  const task: TurnTask = {
    agent_id: 'coder',
    name: 'coder',
    instance: 'coder',
    session: null,
    system: 'You are the coder.',
    prompt: 'You have mail.',
    mail: [],
    tools: [],
    model: place.id,
    cwd,
    folder: own,
    mcp: { command: INBOX, args: ['mcp', '--sets', 'mailbox'], env: {} },
    env: { ...place.env, HOME, PATH, INBOX_DB: db },
    living: { word: 'test', isRunning: () => true },
    signal: new AbortController().signal,
    tell: (line) => told.push(line),
    ...more,
  }
  const sdk = await backendOf('sdk')
  const run = (over: Partial<TurnTask> = {}) => sdk.run({ ...task, ...over })
  const shell = (...words: string[]) => ask(words, { folder: here, env: { INBOX_DB: db } })
  return { here, cwd, own, told, run, shell }
}

function acts(...all: Act[]): Script {
  return function* () {
    yield* all
  }
}

describe.each(Object.keys(PLACES))('a model of %s', (name) => {
  test('uses the tools over MCP, and returns its last text', async () => {
    const place = (PLACES[name] as () => ReturnType<(typeof PLACES)[string]>)()
    const { run, told, shell } = await turnIn(place)
    await shell('agent', 'register', 'reviewer')
    place.model.play(
      acts(
        { tool: 'send_message', args: { type: 'custom', to: 'reviewer', body: 'look at it' } },
        { say: 'I told the reviewer.' },
      ),
    )
    const result = await run()
    place.model.check()
    expect(result).toMatchObject({ ok: true, exit: 0, last: 'I told the reviewer.' })
    const { messages } = (await shell('mail', 'peek', '--agent', 'reviewer')) as unknown as {
      messages: { from: string; body: string }[]
    }
    expect(messages).toMatchObject([{ from: 'agent:coder', body: 'look at it' }])
    expect(told.map(({ kind }) => kind)).toEqual(['tool', 'text'])
    expect(told[0]?.text).toStartWith('send_message {')
    expect(place.model.asked[0]).toContain('You are the coder.')
    expect(place.model.asked.join('')).not.toContain('secret-key')
  })
})

test('a model without its own key is reached through the gateway', async () => {
  const asked: { path: string; id: string | null; authorization: string | null }[] = []
  const parts = [
    { type: 'stream-start', warnings: [] },
    { type: 'text-start', id: '1' },
    { type: 'text-delta', id: '1', delta: 'through the gateway' },
    { type: 'text-end', id: '1' },
    {
      type: 'finish',
      finishReason: { unified: 'stop', raw: 'stop' },
      usage: { inputTokens: { total: 1 }, outputTokens: { total: 1 } },
    },
  ]
  const gateway = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    fetch({ url, headers }) {
      const id = headers.get('ai-language-model-id') ?? headers.get('ai-model-id')
      asked.push({ path: new URL(url).pathname, id, authorization: headers.get('authorization') })
      return new Response(plainEvents(parts), { headers: { 'content-type': 'text/event-stream' } })
    },
  })
  const env = {
    AI_GATEWAY_API_KEY: 'gate',
    AI_GATEWAY_BASE_URL: `http://127.0.0.1:${gateway.port}/v4`,
  }
  const { run } = await turnIn({ model: undefined as never, id: 'anthropic/claude-x', env })
  const result = await run()
  await gateway.stop(true)
  expect(result).toMatchObject({ ok: true, last: 'through the gateway' })
  expect(asked).toEqual([
    { path: '/v4/language-model', id: 'anthropic/claude-x', authorization: 'Bearer gate' },
  ])
})

describe('an agent that is a model', () => {
  const anthropic = PLACES.anthropic as () => ReturnType<(typeof PLACES)[string]>

  test('remembers earlier turns by its session, except failed ones', async () => {
    const place = anthropic()
    const { run, own } = await turnIn(place)
    place.model.play(acts({ say: 'the number is 42' }))
    const first = await run({ prompt: 'Remember a number.' })
    expect(first.session).toBeString()
    const over = new AbortController()
    over.abort()
    const failed = await run({ prompt: 'Lost.', session: first.session, signal: over.signal })
    expect(failed).toMatchObject({ ok: false, session: first.session })
    const kept = readFileSync(join(own, 'conversation.json'), 'utf8')
    expect(kept).not.toContain('Lost.')
    place.model.play(acts({ say: 'it was 42' }))
    const second = await run({ prompt: 'Which number?', session: first.session })
    expect(second).toMatchObject({ ok: true, session: first.session, last: 'it was 42' })
    const asked = place.model.asked.at(-1) ?? ''
    expect(asked).toContain('the number is 42')
    expect(asked).not.toContain('Lost.')
  })

  test('has file and command tools only if its workflow file names them', async () => {
    const place = anthropic()
    const { run } = await turnIn(place)
    place.model.play(acts({ say: 'none' }))
    await run()
    expect(place.model.asked[0]).not.toContain('read_file')
    place.model.play(acts({ say: 'some' }))
    await run({ tools: ['read_file', 'list_files'] })
    expect(place.model.asked[1]).toContain('read_file')
    expect(place.model.asked[1]).not.toContain('run_command')
  })

  test('stays in its folder: refuses paths outside it, and continues the turn', async () => {
    const place = anthropic()
    const tools = ['read_file', 'write_file', 'list_files', 'run_command']
    const { run, cwd, told } = await turnIn(place, { tools })
    writeFileSync(join(cwd, 'a.txt'), 'hello')
    const heard: string[] = []
    place.model.play(function* (): ReturnType<Script> {
      for (const [tool, args] of [
        ['read_file', { path: 'a.txt' }],
        ['read_file', { path: '../inbox.db' }],
        ['write_file', { path: 'sub/b.txt', content: 'written' }],
        ['list_files', { depth: 2 }],
        ['run_command', { command: ['sh', '-c', 'cat sub/b.txt; echo "[$ANTHROPIC_API_KEY]"'] }],
        ['run_command', { command: 'echo no' }],
      ] as const) {
        heard.push((yield { tool, args }).text)
      }
      yield { say: 'done' }
    })
    expect(await run()).toMatchObject({ ok: true, last: 'done' })
    place.model.check()
    expect(heard[0]).toContain('hello')
    expect(heard[1]).toContain('refused: ')
    expect(heard[2]).toContain('written: sub/b.txt')
    expect(heard[3]).toContain('sub/b.txt')
    expect(heard[4]).toContain('exit 0\nwritten[]')
    expect(heard[5]).toContain('command is a list of strings')
    expect(told.filter(({ kind }) => kind === 'tool')).toHaveLength(6)
  })

  test('is stopped after 50 steps, with a usable session', async () => {
    const place = anthropic()
    const { run } = await turnIn(place, { tools: ['list_files'] })
    place.model.play(function* (): ReturnType<Script> {
      while (true) yield { tool: 'list_files', args: {} }
    })
    const result = await run()
    expect(result).toMatchObject({ ok: true, why: 'the turn ended after 50 steps' })
    expect(place.model.asked).toHaveLength(50)
    place.model.play(acts({ say: 'better' }))
    expect(await run({ session: result.session })).toMatchObject({ ok: true, last: 'better' })
  }, 60_000)

  test('can be ended during a tool call', async () => {
    const place = anthropic()
    const over = new AbortController()
    const { run } = await turnIn(place, { signal: over.signal, tools: ['run_command'] })
    place.model.play(acts({ tool: 'run_command', args: { command: ['sleep', '30'] } }))
    const began = performance.now()
    const running = run({
      tell: ({ kind }) => {
        if (kind === 'tool') setTimeout(() => over.abort(), 50)
      },
    })
    expect(await running).toMatchObject({ ok: false, why: 'the turn was ended' })
    expect(performance.now() - began).toBeLessThan(15_000)
  }, 30_000)
})

describe('a turn fails and reports why if', () => {
  const closed = Bun.serve({ hostname: '127.0.0.1', port: 0, fetch: refuse })
  afterAll(() => closed.stop(true))
  function refuse(request: Request): Response {
    const error = { type: 'authentication_error', message: 'invalid x-api-key' }
    if (request.url.includes('/denied'))
      return Response.json({ type: 'error', error }, { status: 401 })
    return new Response('not json', { headers: { 'content-type': 'text/event-stream' } })
  }
  const at = (path: string) => ({
    model: undefined as unknown as Model,
    id: 'anthropic/claude-sonnet-4-5',
    env: { ANTHROPIC_API_KEY: 'k', ANTHROPIC_BASE_URL: `http://127.0.0.1:${closed.port}${path}` },
  })

  test('the key is invalid', async () => {
    const { run, told } = await turnIn(at('/denied'))
    const { ok, why } = await run()
    expect([ok, why]).toEqual([
      false,
      "the model's server refused (401): invalid x-api-key; check the key of the provider",
    ])
    expect(told.at(-1)?.kind).toBe('error')
  })

  test('the server’s response is invalid', async () => {
    const { run } = await turnIn(at('/nonsense'))
    expect(await run()).toMatchObject({ ok: false, session: null })
  })

  test('the tools cannot be reached', async () => {
    const place = (PLACES.anthropic as () => ReturnType<(typeof PLACES)[string]>)()
    const { run } = await turnIn(place, {
      mcp: { command: 'no-such-program', args: [], env: {}, socket: '/nowhere.sock' },
    })
    const { ok, why } = await run()
    expect(ok).toBe(false)
    expect(why).toContain('no-such-program')
    expect(place.model.asked).toEqual([])
  })
})
