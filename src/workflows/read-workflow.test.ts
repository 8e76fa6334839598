// Workflow files that become plans, and texts that no file should be.
import { expect, test } from 'bun:test'
import fc from 'fast-check'
import type { WorkflowPlan } from './plan.ts'
import { AGENTS, AROUND, planOf, problemsOf } from './read-scene.ts'
import { readWorkflow } from './read-workflow.ts'

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
