import { afterAll, describe, expect, test } from 'bun:test'
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { BACKENDS, backendOf, type TurnLine, type TurnTask } from './backend.ts'
import { COMMAND } from './command.ts'

const made: string[] = []
afterAll(() => {
  for (const folder of made) rmSync(folder, { recursive: true, force: true })
})

function taskOf(script: string, more: Partial<TurnTask> = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'backend-'))
  made.push(folder)
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
    cwd: folder,
    folder,
    command: ['sh', '-c', script],
    mcp: {
      command: 'inbox',
      args: ['mcp', '--sets', 'workflow'],
      env: {},
      socket: '/run/context.sock',
      url: 'http://127.0.0.1:3100/mcp',
    },
    env: { PATH: process.env.PATH ?? '' },
    living: { word: '1', isRunning: () => true },
    signal: new AbortController().signal,
    tell: (line) => told.push(line),
    ...more,
  }
  return { task, told, folder }
}

describe('a turn by any program', () => {
  test('gets mail as lines of JSON, and its output is logged and returned', async () => {
    const mail = [{ id: 1, message: 'ä\nb' }, { id: 2 }]
    const { task, told } = taskOf('cat; echo hint >&2', { mail })
    const result = await COMMAND.run(task)
    const lines = ['{"id":1,"message":"ä\\nb"}', '{"id":2}']
    expect(result).toEqual({ ok: true, exit: 0, session: null, last: lines.join('\n') })
    expect(told.filter(({ kind }) => kind === 'text').map(({ text }) => text)).toEqual(lines)
    expect(told).toContainEqual({ kind: 'error', text: 'hint' })
  })

  test('gets its name, its tools and its prompt files in variables', async () => {
    const { task, folder } = taskOf(
      'echo "$INBOX_AGENT $INBOX_INSTANCE $INBOX_CONTEXT_SOCKET $INBOX_CONTEXT_URL $INBOX_FOLDER"; cat "$INBOX_PROMPT_FILE" "$INBOX_SYSTEM_FILE" "$INBOX_MCP_CONFIG"',
    )
    const { last } = await COMMAND.run(task)
    expect(last).toStartWith(
      `coder@pr-1 pr-1 /run/context.sock http://127.0.0.1:3100/mcp ${folder}\nFix it.You code.`,
    )
    const config = JSON.parse(last.slice(last.indexOf('{'))) as object
    const entry = { type: 'stdio', command: 'inbox', args: ['mcp', '--sets', 'workflow'] }
    expect(config).toEqual({ mcpServers: { 'workflow-context': entry } })
    expect(statSync(join(folder, 'prompt.md')).mode & 0o777).toBe(0o600)
  })

  test('further tool sets get a separate file; otherwise the instance’s is used', async () => {
    const dir = mkdtempSync(join(tmpdir(), 'instance-'))
    made.push(dir)
    const { task, folder } = taskOf('echo "$INBOX_MCP_CONFIG"', { dir })
    expect((await COMMAND.run(task)).last).toBe(join(dir, 'mcp.json'))
    const { last } = await COMMAND.run({ ...task, tools: ['mailbox', 'threads'] })
    expect(last).toBe(join(folder, 'mcp.json'))
    expect(readFileSync(last, 'utf8')).toContain('"workflow,mailbox,threads"')
    // Another version of the program replaces what an earlier turn wrote.
    const mcp = { ...task.mcp, command: 'newer' }
    expect((await COMMAND.run({ ...task, mcp })).last).toBe(join(dir, 'mcp.json'))
    expect(readFileSync(join(dir, 'mcp.json'), 'utf8')).toContain('"newer"')
  })

  test.each([
    '{"mcpServers":{"mine":{"command":"x"}}}',
    '{"mcpServers":{"workflow-context":{"type":"stdio","command":"x","args":[]},"mine":{}}}',
    '{"mcpServers":{}}',
    '// mine',
  ])('leaves another mcp.json unchanged, and logs where its own is: %s', async (mine) => {
    const dir = mkdtempSync(join(tmpdir(), 'instance-'))
    made.push(dir)
    writeFileSync(join(dir, 'mcp.json'), mine)
    const { task, told, folder } = taskOf('echo "$INBOX_MCP_CONFIG"', { dir })
    expect((await COMMAND.run(task)).last).toBe(join(folder, 'mcp.json'))
    expect(readFileSync(join(dir, 'mcp.json'), 'utf8')).toBe(mine)
    expect(told[0]?.text).toBe(
      `${join(dir, 'mcp.json')} is a file of yours and stays as it is; the tools of this turn are in ${join(folder, 'mcp.json')}`,
    )
  })

  test.each([
    ['exit 3', 3, 'it ended with exit code 3'],
    ['kill -KILL $$', null, 'it was ended by SIGKILL'],
  ])('%s fails with the reason', async (script, exit, why) => {
    const result = await COMMAND.run(taskOf(`echo half done; ${script}`).task)
    expect(result).toEqual({ ok: false, exit, session: null, last: 'half done', why })
  })

  test('fails with the remedy if the program does not exist', async () => {
    const { task } = taskOf('', { command: ['no-such-program-here'] })
    const { ok, why } = await COMMAND.run(task)
    expect([ok, why]).toEqual([
      false,
      `"no-such-program-here" cannot be started in ${task.cwd}: ENOENT; install it, or put it on the PATH`,
    ])
  })

  test('succeeds although the program does not read a lot of mail', async () => {
    const mail = Array.from({ length: 50_000 }, (_, id) => ({ id, text: 'x'.repeat(100) }))
    const { task } = taskOf('exec <&-; echo done', { mail })
    expect(await COMMAND.run(task)).toMatchObject({ ok: true, last: 'done' })
  })

  test('reads a flood of output to its end, logs it up to a limit and returns only its end', async () => {
    const script = `i=0; while [ $i -lt 300 ]; do printf '%09999d\\n' $i; i=$((i+1)); done; echo the end`
    const { task, told } = taskOf(script)
    const { ok, last } = await COMMAND.run(task)
    expect([ok, last.length <= 8000, last.endsWith('the end')]).toEqual([true, true, true])
    const letters = told.reduce((sum, { text }) => sum + text.length, 0)
    expect(letters).toBeLessThan(1_010_000)
    expect(told.at(-1)?.text).toBe('this turn has too much output; the rest is not logged')
  })

  test('also limits a flood without line ends', async () => {
    const { task, told } = taskOf('head -c 20000000 /dev/zero | tr "\\0" x; echo; echo the end')
    const { last } = await COMMAND.run(task)
    expect(last.endsWith('the end')).toBe(true)
    expect(told.map(({ text }) => text.length)).toEqual([4001, 'the end'.length])
  })

  test('joins a character written in two halves', async () => {
    const { task } = taskOf(`printf '\\303'; sleep 0.05; printf '\\244\\n'`)
    expect((await COMMAND.run(task)).last).toBe('ä')
  })

  test('a child that holds the output open does not delay the end', async () => {
    const started = performance.now()
    const { task } = taskOf('sleep 20 & echo $!')
    const { ok, last } = await COMMAND.run(task)
    process.kill(Number(last), 'SIGKILL')
    expect([ok, performance.now() - started < 5000]).toEqual([true, true])
  })

  test('a stopped turn asks the program to end and returns its last output', async () => {
    const stop = new AbortController()
    const { task } = taskOf(
      `trap 'echo bye; exit 0' TERM; echo ready; while :; do sleep 0.02; done`,
    )
    const tell = ({ text }: TurnLine) => void (text === 'ready' && stop.abort())
    const result = await COMMAND.run({ ...task, signal: stop.signal, tell })
    expect(result).toMatchObject({
      ok: false,
      last: 'ready\nbye',
      why: 'it was ended from outside',
    })
  })

  test('a turn stopped before it began does not start the program', async () => {
    const { task } = taskOf('echo started', { signal: AbortSignal.abort() })
    expect(await COMMAND.run(task)).toMatchObject({ ok: false, exit: null, last: '' })
  })
})

describe('a plan is checked before anything starts', () => {
  const look = { which: (name: string) => (name === 'sh' ? '/bin/sh' : null), env: {} }
  const agent = { name: 'coder', backend: 'command', tools: [] as string[] }

  test.each([
    [{ command: ['sh', 'agent.sh'] }, []],
    [
      { command: ['./agent.py'], tools: ['mailbox'] },
      [
        'agent coder: there is no program "./agent.py"; fix the path, which is relative to the folder where the workflow runs, and make the file executable',
      ],
    ],
    [
      {},
      [
        'agent coder: the backend command needs a command; write for example command: [sh, agent.sh]',
      ],
    ],
    [
      { command: ['nope'] },
      ['agent coder: there is no program "nope"; install it, or put it on the PATH'],
    ],
    [
      { command: ['sh'], tools: ['Bash'] },
      [
        'agent coder: "Bash" is not a tool of the backend command; it takes workspace, mailbox, threads, requests',
      ],
    ],
  ])('%j', (more, problems) => {
    expect(COMMAND.check({ ...agent, ...more }, look)).toEqual(problems)
  })

  test('rejects an unknown backend and lists the known ones', async () => {
    await expect(backendOf('toString')).rejects.toThrow(
      `there is no backend "toString"; the backends are ${BACKENDS.join(', ')}`,
    )
  })
})
