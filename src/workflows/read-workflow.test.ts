// Workflow files that become plans, each possible mistake in one, and input that isn't a valid workflow file.
import { expect, test } from 'bun:test'
import fc from 'fast-check'
import type { WorkflowPlan } from './plan.ts'
import type { ReadAround } from './read-parts.ts'
import { readWorkflow } from './read-workflow.ts'

const AROUND: ReadAround = {
  path: '/work/flows/review.yaml',
  cwd: '/work/project',
  instance: 'pr-7',
  readText: (path) =>
    path === 'prompts/reviewer.md'
      ? { text: 'You review for ${{ params.team }}.' }
      : { why: 'does not exist', remedy: 'write it, or fix its name' },
  env: (name) => ({ HOME: '/home/me', WHO: '@coder', EMPTY: '' })[name],
  params: {},
  now: '2026-05-01T10:00:00.000Z',
}

const AGENTS = `agents:
  reviewer:
    model: anthropic/claude-sonnet-4-5
    system_prompt: You review.
  coder:
    backend: command
    command: [sh, coder.sh]
`

async function planOf(text: string, around: Partial<ReadAround> = {}): Promise<WorkflowPlan> {
  const read = await readWorkflow(text, { ...AROUND, ...around })
  if ('problems' in read) throw new Error(JSON.stringify(read.problems))
  return read.plan
}

async function problemsOf(text: string, around: Partial<ReadAround> = {}): Promise<string[]> {
  const read = await readWorkflow(text, { ...AROUND, ...around })
  const said = 'problems' in read ? read.problems : []
  return said.map(
    ({ file = '', line, column, what, remedy }) => `${file}${line}:${column} ${what}; ${remedy}`,
  )
}

test('reads every key of a file into the plan', async () => {
  const plan = await planOf(
    `name: code-review
context:
  provider: file
  config:
    dir: ./talk/\${{ instance }}/
    channel: discussion.md
    document: workspace.md
    documents: [./goals.md, findings//auth.md]
agents:
  reviewer:
    model: anthropic/\${{ params.model }}
    system_prompt: prompts/reviewer.md
    tools: [mailbox, read_file]
    timeout: 10m
    max_turns: 5
    hops: 4
    wakeup: 30s
  coder:
    backend: command
    command: [python3, "\${{ workflow.dir }}/coder.py", --for, "\${{ instance }}"]
    timeout: 90
    wakeup: 0 9 * * 1-5
params:
  - name: team
    description: whose code it is
    default: platform
  - name: model
    required: true
  - { name: depth, type: number, default: 3 }
  - { name: fast, type: boolean }
setup:
  - shell: gh pr diff
    as: diff
  - shell: echo "\${{ diff }}" | head -n \${{ params.depth }}
kickoff: |
  \${{ diff }} for \${{ params.team }}
  @reviewer look, then @coder
`,
    { params: { model: 'claude-sonnet-4-5' } },
  )
  expect(plan).toMatchObject({
    name: 'code-review',
    file: '/work/flows/review.yaml',
    instance: 'pr-7',
    cwd: '/work/project',
    context: {
      provider: 'file',
      dir: '/work/project/talk/pr-7',
      channel: 'discussion.md',
      document: 'workspace.md',
      documents: ['goals.md', 'findings/auth.md'],
    },
    params: { team: 'platform', model: 'claude-sonnet-4-5', depth: 3 },
  })
  expect(plan.agents).toEqual([
    {
      name: 'reviewer',
      backend: 'sdk',
      model: 'anthropic/claude-sonnet-4-5',
      system_prompt: 'You review for platform.',
      tools: ['mailbox', 'read_file'],
      timeout_seconds: 600,
      max_turns: 5,
      hops: 4,
      wakeup: { every_seconds: 30 },
    },
    {
      name: 'coder',
      backend: 'command',
      system_prompt: '',
      tools: [],
      command: ['python3', '/work/flows/coder.py', '--for', 'pr-7'],
      timeout_seconds: 90,
      wakeup: { cron: '0 9 * * 1-5' },
    },
  ])
  expect(plan.setup).toEqual([
    { shell: 'gh pr diff', written: 'gh pr diff', as: 'diff', values: [], line: 32, column: 12 },
    {
      shell: 'echo "${WORKFLOW_VALUE_1}" | head -n ${WORKFLOW_VALUE_2}',
      written: 'echo "${{ diff }}" | head -n ${{ params.depth }}',
      values: [
        { variable: 'WORKFLOW_VALUE_1', value: { setup: 'diff' } },
        { variable: 'WORKFLOW_VALUE_2', value: '3' },
      ],
      line: 34,
      column: 12,
    },
  ])
  expect(JSON.parse(JSON.stringify(plan))).toEqual(plan)
})

const CONTEXTS: [string, WorkflowPlan['context']['provider'], string][] = [
  ['', 'file', '/work/project/.workflow/pr-7'],
  ['context:\n', 'file', '/work/project/.workflow/pr-7'],
  ['context: {}\n', 'file', '/work/project/.workflow/pr-7'],
  ['context: { provider: file }\n', 'file', '/work/project/.workflow/pr-7'],
  ['context: { config: { dir: /tmp/x } }\n', 'file', '/tmp/x'],
  ['context: { provider: memory }\n', 'memory', ''],
  ['context: false\n', 'none', ''],
]

for (const [text, provider, dir] of CONTEXTS) {
  test(`the context of ${JSON.stringify(text)} is ${provider}`, async () => {
    const { context } = await planOf(text + AGENTS)
    expect(context).toEqual({
      provider,
      dir,
      channel: 'channel.md',
      document: 'notes.md',
      documents: [],
    })
  })
}

test('names a workflow after its file by default', async () => {
  expect((await planOf(AGENTS)).name).toBe('review')
  expect((await planOf(AGENTS, { path: '/x/a.b.yml' })).name).toBe('a.b')
})

test('warns about a kickoff that mentions no agent, and about a misspelled name', async () => {
  const read = async (kickoff: string) => {
    const text = await readWorkflow(`${AGENTS}kickoff: "${kickoff}"\n`, AROUND)
    return 'warnings' in text ? text.warnings.map(({ what, remedy }) => `${what}; ${remedy}`) : []
  }
  expect(await read('@coder go, @user sees it, mail @types/node')).toEqual([])
  expect(await read('go')).toEqual([
    'the kickoff mentions no agent, so none begins; mention one: @reviewer, @coder',
  ])
  expect(await read('@coder, then @reviwer')).toEqual([
    'the kickoff mentions @reviwer, which is not an agent here; write @reviewer',
  ])
})

test('rejects alias bombs and deep nesting at once', async () => {
  const bomb = `a: &a [x, x, x, x, x, x, x, x, x, x]\n${[...'bcdefgh']
    .map((name, at) => `${name}: &${name} [${Array(10).fill(`*${'abcdefg'[at]}`).join(', ')}]`)
    .join('\n')}\n`
  const before = performance.now()
  expect((await problemsOf(bomb)).length).toBeGreaterThan(0)
  const used = `${AGENTS}${bomb}setup: *h\n`
  expect((await problemsOf(used)).length).toBeGreaterThan(0)
  expect((await problemsOf(`agents: ${'['.repeat(100_000)}`)).length).toBeGreaterThan(0)
  expect((await problemsOf(`agents: &a { a: *a }\n`)).length).toBeGreaterThan(0)
  expect(await problemsOf(`name: ${'x'.repeat(300_000)}\n`)).toEqual([
    '1:1 the file has 300007 bytes; keep it under 262144',
  ])
  expect(performance.now() - before).toBeLessThan(5000)
})

test('CRLF line ends and a byte order mark do not change reported positions', async () => {
  const wrong = `${AGENTS}kickof: x\n`
  const said = ['8:1 "kickof" is not a key of a workflow file; write kickoff']
  expect(await problemsOf(wrong.replaceAll('\n', '\r\n'))).toEqual(said)
  expect(await problemsOf(`\uFEFF${wrong}`)).toEqual(said)
})

test('any text yields a plan, or problems positioned inside it', async () => {
  const word = fc.constantFrom(
    'agents:',
    'name:',
    'setup:',
    '- ',
    '{',
    '}',
    '[',
    ']',
    '&a',
    '*a',
    '"',
    "'",
    '|',
    '>',
    '\n',
    '\n  ',
    '\n    ',
    ': ',
    'shell: x',
    'as: y',
    '${{',
    '}}',
    ' y ',
    '!!map',
    '#',
    '\t',
    'backend: command',
    'command: [sh]',
    'kickoff: ',
    '? ',
    '---\n',
    '%YAML 1.2\n',
    '<<: *a',
  )
  await fc.assert(
    fc.asyncProperty(fc.array(word, { maxLength: 40 }), async (words) => {
      const text = words.join('')
      const read = await readWorkflow(text, AROUND)
      if (!('problems' in read)) return
      const lines = text.split('\n').length + 1
      expect(read.problems.length).toBeGreaterThan(0)
      for (const { line, column, what, remedy } of read.problems) {
        expect(line >= 1 && line <= lines && column >= 1).toBe(true)
        expect(what !== '' && remedy !== '').toBe(true)
      }
    }),
    { numRuns: 1500 },
  )
})

/** Each file has one mistake. The line says where it is, what it is and how to fix it. */
const WRONG: [string, string][] = [
  ['', '1:1 the file is empty; name agents under agents:'],
  ['- a\n', '1:1 the file is a list; write keys: name, context, agents, params, setup, kickoff'],
  ['name: x\n', '1:1 the file has no agents; add agents: the agents by their names'],
  ['agents: {}\n', '1:9 there is no agent; name at least one under agents:'],
  [`${AGENTS}kickof: hi\n`, '8:1 "kickof" is not a key of a workflow file; write kickoff'],
  [
    `${AGENTS}completion: idle\n`,
    '8:1 "completion" is not a key of a workflow file; leave it out: run ends when all agents are idle, start continues until stop',
  ],
  [
    `${AGENTS}zebra: 1\n`,
    '8:1 "zebra" is not a key of a workflow file; the keys are name, context, agents, params, setup, kickoff',
  ],
  [`${AGENTS}name: 5\n`, '8:7 name is 5; write a text; put quotes around it'],
  [`${AGENTS}name: [a]\n`, '8:7 name is a list; write a text'],
  [`${AGENTS}name: |\n  a\n  b\n`, '8:7 name has several lines; write it on one line'],
  [`${AGENTS}agents: {}\n`, '8:1 this key occurs twice; keep one of the two'],
  [`${AGENTS}\tname: x\n`, '8:1 tabs cannot indent YAML; use spaces'],
  [
    `${AGENTS}kickoff: !!binary aGk=\n`,
    '8:19 kickoff is a value with a tag; write a text; put quotes around it',
  ],
  [`${AGENTS}setup: *none\n`, '8:8 the alias names no anchor; write the value out'],
  [
    `${AGENTS}setup: [{ as: x }]\n`,
    '8:9 setup.0 has no shell; add shell: a command for sh -c, in the working folder',
  ],
  [
    `${AGENTS}setup: [{ shell: ls, as: env }]\n`,
    '8:26 env is the name of other values; choose another name for this output',
  ],
  [
    `${AGENTS}setup: [{ shell: ls, as: "a b" }]\n`,
    '8:26 setup.0.as is "a b"; write letters, digits, _ and -, a letter or _ first',
  ],
  [
    `${AGENTS}setup:\n  - { shell: a, as: x }\n  - { shell: b, as: x }\n`,
    '10:21 two commands of setup are called x; rename one of them',
  ],
  [`${AGENTS}setup:\n  -\n`, '9:4 setup.0 is empty; take the line out'],
  [
    'agents:\n  user: { model: a/b, system_prompt: x }\n',
    '2:3 "user" is a reserved name; choose another name',
  ],
  [
    'agents:\n  System: { model: a/b, system_prompt: x }\n',
    '2:3 "System" is a reserved name; choose another name',
  ],
  [
    'agents:\n  2nd: { model: a/b, system_prompt: x }\n',
    '2:3 "2nd" cannot be the name of an agent; use letters, digits, _ and -, a letter first',
  ],
  [
    'agents:\n  a: { system_prompt: x }\n',
    '2:3 a has no model; add one such as anthropic/claude-sonnet-4-5, or name another backend',
  ],
  ['agents:\n  a: { backend: claude }\n', '2:3 a has no system_prompt; say what the agent is for'],
  ['agents:\n  a: { backend: comand }\n', '2:17 agents.a.backend is "comand"; write command'],
  [
    'agents:\n  a: { backend: command }\n',
    '2:3 a has no command; add the program and its arguments: command: [sh, agent.sh]',
  ],
  [
    'agents:\n  a: { backend: command, command: sh x }\n',
    '2:35 agents.a.command is "sh x"; write a list, with - before each of its lines or in [ ]',
  ],
  [
    'agents:\n  a: { backend: command, command: [] }\n',
    '2:35 agents.a.command has 0 values; name at least 1',
  ],
  [
    'agents:\n  a: { backend: claude, system_prompt: x, command: [sh] }\n',
    '2:52 the backend claude takes no command; add backend: command',
  ],
  [
    'agents:\n  a: { backend: claude, system_prompt: none.md }\n',
    '2:40 the prompt file "none.md" does not exist; write it, or fix its name',
  ],
  [
    'agents:\n  a: { backend: claude, system_prompt: x, timeout: soon }\n',
    '2:52 agents.a.timeout is "soon"; write seconds, or a time such as 90s, 10m or 2h',
  ],
  [
    'agents:\n  a: { backend: claude, system_prompt: x, timeout: 3d }\n',
    '2:52 agents.a.timeout is 259200; write a number from 1 to 86400',
  ],
  [
    'agents:\n  a: { backend: claude, system_prompt: x, max_turns: 0 }\n',
    '2:54 agents.a.max_turns is 0; write a number from 1 to 10000',
  ],
  [
    'agents:\n  a: { backend: claude, system_prompt: x, wakeup: often }\n',
    '2:51 wakeup "often" cannot be used: it is neither a time nor a cron line; write a time such as 10m, or minute hour day month weekday such as "0 9 * * 1-5"',
  ],
  [
    `context: { provider: disk }\n${AGENTS}`,
    '1:22 context.provider is "disk"; write file or memory',
  ],
  [`context: true\n${AGENTS}`, '1:10 context is true; write keys: provider, config'],
  [
    `context: { provider: memory, config: { dir: x } }\n${AGENTS}`,
    '1:38 the provider memory has no files; take config out, or provider: file',
  ],
  [
    `context: { config: { channel: ../x.md } }\n${AGENTS}`,
    '1:31 the path "../x.md" leads out of the folder; write it relative to the instance\'s folder, such as findings/auth.md',
  ],
  [
    `context: { config: { document: channel.md } }\n${AGENTS}`,
    '1:32 "channel.md" is the file of the channel and of a document; give each a name of its own',
  ],
  [
    `context: { config: { channel: notes.md } }\n${AGENTS}`,
    '1:31 "notes.md" is the file of the channel and of a document; give each a name of its own',
  ],
  [
    `params: [{ name: a }, { name: a }]\n${AGENTS}`,
    '1:31 there are two params "a"; rename one of them',
  ],
  [
    `params: [{ name: a, type: number, default: x }]\n${AGENTS}`,
    '1:44 the default of a is "x"; write a number, or change the type',
  ],
  [
    `params: [{ name: a, required: true, default: x }]\n${AGENTS}`,
    '1:31 a is required and has a default; leave one of them out',
  ],
  [
    `params: [{ name: a, required: true }]\n${AGENTS}`,
    '1:10 the param a is required and was not given; add --param a=VALUE',
  ],
]

for (const [text, said] of WRONG) {
  test(`reports: ${said}`, async () => {
    expect(await problemsOf(text)).toEqual([said])
  })
}

test('reports other faults along with one of shape, but not its consequences', async () => {
  const text = `agents:
  reviewer: { modle: anthropic/claude-sonnet-4-5, system_prompt: missing.md }
  user: { backend: command, command: [cat] }
  coder: { backend: command, command: [cat], timeout: soon }
setup: [{ shell: date, ass: now }]
kickoff: "\${{ now }} @coder"
`
  expect(await problemsOf(text)).toEqual([
    '2:15 "modle" is not a key of agents.reviewer; write model',
    '2:66 the prompt file "missing.md" does not exist; write it, or fix its name',
    '3:3 "user" is a reserved name; choose another name',
    '4:55 agents.coder.timeout is "soon"; write seconds, or a time such as 90s, 10m or 2h',
    '5:24 "ass" is not a key of setup.0; write as',
  ])
  const wrong = `agents: 5\nkickof: go\nkickoff: "\${{ nope }}"\n`
  expect((await problemsOf(wrong)).map((one) => one.slice(0, 12))).toEqual([
    '1:9 agents i',
    '2:1 "kickof"',
    '3:11 nope is',
  ])
})

test('reports an unknown placeholder along with a context fault', async () => {
  const text = `context: { provider: redis }\n${AGENTS}kickoff: "@coder \${{ nope }} \${{ context.channel }}"\n`
  expect(await problemsOf(text)).toEqual([
    expect.stringContaining('1:22 context.provider is "redis"'),
    expect.stringContaining('nope is not known here'),
  ])
})

test('reports all faults of a file, in order', async () => {
  const said = await problemsOf(`nam: x
agents:
  user: { modl: x }
  ok: { model: a/b, system_prompt: x, timeout: never }
`)
  expect(said.map((line) => line.split(' ')[0])).toEqual(['1:1', '3:11', '4:48'])
})
