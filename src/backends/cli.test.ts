// A small script stands in for a program that reports events, to test what can go wrong between the program and a turn.

import { afterAll, describe, expect, test } from 'bun:test'
import fs from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { BACKENDS, backendOf, type TurnLine, type TurnTask } from './backend.ts'
import { repairProjectFiles } from './project-file.ts'

const made: string[] = []
afterAll(() => {
  for (const folder of made) fs.rmSync(folder, { recursive: true, force: true })
})

/** Puts the script on the PATH as the program, and makes a task that runs it. */
function machine(program: string, script: string, more: Partial<TurnTask> = {}) {
  const root = fs.mkdtempSync(join(tmpdir(), 'cli-'))
  made.push(root)
  const [bin, cwd, folder] = ['bin', 'work', 'own'].map((name) => join(root, name)) as [
    string,
    string,
    string,
  ]
  for (const one of [bin, cwd, folder]) fs.mkdirSync(one)
  fs.writeFileSync(join(bin, program), `#!/bin/sh\n${script}\n`, { mode: 0o755 })
  const told: TurnLine[] = []
  const task: TurnTask = {
    agent_id: 'coder@pr-1',
    name: 'coder',
    instance: 'pr-1',
    session: null,
    system: 'You code.',
    prompt: 'Fix it.',
    mail: [],
    tools: [],
    cwd,
    folder,
    mcp: { command: 'inbox', args: ['mcp', '--sets', 'workflow'], env: { INBOX_DB: '/x.db' } },
    env: { PATH: `${bin}:${process.env.PATH}` },
    living: { word: String(process.pid), isRunning: (word) => word === String(process.pid) },
    signal: new AbortController().signal,
    tell: (line) => told.push(line),
    ...more,
  }
  return { task, told, cwd }
}

const say = (event: object) => `echo '${JSON.stringify(event)}'`
const INIT = say({ type: 'system', subtype: 'init', session_id: 's-1' })
const text = (words: string) =>
  say({ type: 'assistant', message: { content: [{ type: 'text', text: words }] } })

describe('a turn by a program that reports events', () => {
  test('reports the session and the last text, and passes on the agent’s name', async () => {
    const tool = { type: 'tool_use', name: 'Bash', input: { command: 'ls' } }
    const call = say({ type: 'assistant', message: { content: [tool] } })
    const script = `${INIT}; cat >/dev/null; ${text('One')}; ${call}; echo "$INBOX_AGENT $INBOX_INSTANCE $INBOX_DB" >&2; ${text('Two')}`
    const { task, told } = machine('claude', script)
    const result = await (await backendOf('claude')).run(task)
    expect(result).toEqual({ ok: true, exit: 0, session: 's-1', last: 'Two' })
    expect(told.filter(({ kind }) => kind !== 'error')).toEqual([
      { kind: 'text', text: 'One' },
      { kind: 'tool', text: 'Bash {"command":"ls"}' },
      { kind: 'text', text: 'Two' },
    ])
    expect(told).toContainEqual({ kind: 'error', text: 'coder@pr-1 pr-1 /x.db' })
  })

  test('fails if its events report a failure, whatever its exit code', async () => {
    const event = { type: 'result', is_error: true, result: 'API Error: overloaded' }
    const { task } = machine('claude', `${INIT}; ${text('Half')}; ${say(event)}`)
    expect(await (await backendOf('claude')).run(task)).toEqual({
      ok: false,
      exit: 0,
      session: 's-1',
      last: 'Half',
      why: 'API Error: overloaded',
    })
  })

  test('every program writes the instance’s mcp.json', async () => {
    for (const [name, program] of [
      ['codex', 'codex'],
      ['gemini', 'gemini'],
    ] as const) {
      const { task, cwd } = machine(program, 'exit 0')
      const dir = join(cwd, 'context')
      fs.mkdirSync(dir)
      expect(await (await backendOf(name)).run({ ...task, dir })).toMatchObject({ ok: true })
      const text = fs.readFileSync(join(dir, 'mcp.json'), 'utf8')
      expect(Object.keys(JSON.parse(text).mcpServers)).toEqual(['workflow-context'])
      expect(text).not.toContain('/x.db')
    }
  })

  test('fails on a nonzero exit code, with standard error as the reason', async () => {
    const { task } = machine('codex', 'echo "no key" >&2; exit 7', { session: 'old' })
    expect(await (await backendOf('codex')).run(task)).toEqual({
      ok: false,
      exit: 7,
      session: 'old',
      last: 'no key',
      why: 'it ended with exit code 7',
    })
  })

  test('logs lines that are not events, and ignores half an event', async () => {
    const { task, told } = machine('claude', `echo hello; ${INIT}; printf '{"type":"assi'`)
    expect(await (await backendOf('claude')).run(task)).toMatchObject({ ok: true, session: 's-1' })
    expect(told).toEqual([
      { kind: 'error', text: 'hello' },
      { kind: 'error', text: '{"type":"assi' },
    ])
  })

  test('starts a new session once if the old one is gone, and then gives up', async () => {
    const script = `echo run >> runs; echo 'No conversation found with session ID: x' >&2; exit 1`
    const { task, cwd } = machine('claude', script, { session: 'x' })
    expect(await (await backendOf('claude')).run(task)).toMatchObject({ ok: false, exit: 1 })
    expect(fs.readFileSync(join(cwd, 'runs'), 'utf8')).toBe('run\nrun\n')
  })

  test('a stopped turn ends the program and restores its file', async () => {
    const stop = new AbortController()
    const script = `${say({ type: 'init', session_id: 'g' })}; trap 'exit 0' TERM; while :; do sleep 0.02; done`
    const { task, cwd } = machine('gemini', script, { signal: stop.signal })
    const running = (await backendOf('gemini')).run(task)
    const file = join(cwd, '.gemini/settings.json')
    while (!fs.existsSync(file)) await new Promise((resolve) => setTimeout(resolve, 5))
    stop.abort()
    expect(await running).toMatchObject({ ok: false, why: 'it was ended from outside' })
    expect(fs.readdirSync(cwd)).toEqual([])
  })
})

describe('an entry in a file of the project', () => {
  test.each([
    ['gemini', '.gemini/settings.json', 'gemini', `\${INBOX_AGENT}`],
    ['cursor', '.cursor/mcp.json', 'cursor-agent', `\${env:INBOX_AGENT}`],
  ])(
    '%s finds it in %s, with nothing specific to one agent',
    async (name, file, program, spelled) => {
      const { task, told, cwd } = machine(program, `cat ${file} >&2`)
      await (await backendOf(name)).run({ ...task, tools: ['mailbox'] })
      const lines = told.map(({ text }) => text).join('\n')
      const { mcpServers } = JSON.parse(lines) as { mcpServers: Record<string, object> }
      expect(mcpServers['workflow-context']).toMatchObject({
        command: 'inbox',
        args: ['mcp', '--sets', spelled.replace('AGENT', 'MCP_SETS')],
        env: { INBOX_AGENT: spelled },
      })
      expect(lines).not.toContain('/x.db')
      expect(fs.readdirSync(cwd)).toEqual([])
    },
  )

  test('the next start restores it after a kill', async () => {
    const { task, cwd } = machine('gemini', 'cp -r .workflow .gemini ..')
    await (await backendOf('gemini')).run(task)
    // Leave the folder as a turn killed midway would have left it.
    for (const one of ['.workflow', '.gemini']) {
      fs.cpSync(join(cwd, '..', one), join(cwd, one), { recursive: true })
    }
    expect(fs.existsSync(join(cwd, '.gemini/settings.json'))).toBe(true)
    const later = { word: 'later', isRunning: () => false }
    expect(await repairProjectFiles(cwd, later)).toEqual([])
    expect(fs.readdirSync(cwd)).toEqual([])
  })

  test('fails without starting the program if the file has another entry with that name', async () => {
    const { task, cwd } = machine('gemini', 'echo started > ../started')
    fs.mkdirSync(join(cwd, '.gemini'))
    const text = '{"mcpServers":{"workflow-context":{"command":"mine"}}}'
    fs.writeFileSync(join(cwd, '.gemini/settings.json'), text)
    const { ok, why } = await (await backendOf('gemini')).run(task)
    expect([ok, why]).toEqual([
      false,
      expect.stringContaining('already has mcpServers.workflow-context'),
    ])
    expect(fs.existsSync(join(cwd, '../started'))).toBe(false)
  })
})

describe('a plan is checked against the machine', () => {
  const nothing = { which: () => null, env: {} }
  const all = { which: (name: string) => `/bin/${name}`, env: {} }
  const own = BACKENDS.filter((name) => name !== 'sdk' && name !== 'command')

  test.each(own)('%s: names a missing program and how to get it', async (name) => {
    const { check } = await backendOf(name)
    const [problem = '', ...more] = check({ name: 'coder', backend: name, tools: [] }, nothing)
    expect(problem).toMatch(/^agent coder: the program \S+ is not installed; install it /)
    expect(more).toEqual([])
    expect(check({ name: 'coder', backend: name, tools: ['mailbox'] }, all)).toEqual([])
  })

  test.each(own)('%s: accepts its own tools and rejects unknown ones', async (name) => {
    const { check, tools } = await backendOf(name)
    expect(check({ name: 'coder', backend: name, tools }, all)).toEqual([])
    expect(check({ name: 'coder', backend: name, tools: ['Launch'] }, all)).toEqual([
      expect.stringMatching(
        new RegExp(`^agent coder: "Launch" is not a tool of the backend ${name}; it takes `),
      ),
    ])
  })
})
