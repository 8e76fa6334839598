// Values that are filled into a workflow file: params, setup output, and the environment.
import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { mentionsIn } from '../core/workflows/mentions.ts'
import { offsetInSource, partsOf, type TextPart } from './placeholders.ts'
import { kickoffOf, type WorkflowPlan } from './plan.ts'
import type { ReadAround } from './read-parts.ts'
import { readWorkflow } from './read-workflow.ts'

const AROUND: ReadAround = {
  path: '/work/flows/review.yaml',
  cwd: '/work/project',
  instance: 'pr-7',
  readText: () => ({ why: 'does not exist', remedy: 'write it' }),
  env: (name) => ({ WHO: '@coder', EMPTY: '' })[name],
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

/** Each kickoff is the last key of its file, so its placeholder is on line 9. */
const UNFILLED: [string, string][] = [
  [
    '${{ nothing }}',
    '9:5 nothing is not known here; use instance, workflow.instance, workflow.name, workflow.dir, context.channel, context.document or env.NAME',
  ],
  [
    '${{ params.x }}',
    '9:5 params.x is not known here; add it to params:, or use instance, workflow.instance, workflow.name, workflow.dir, context.channel, context.document',
  ],
  ['${{ workflow.nam }}', '9:5 workflow.nam is not known here; write workflow.name'],
  ['${{ env.NONE }}', '9:5 the environment has no NONE; set it: NONE=… before the command'],
  [
    '${{ a b }}',
    '9:5 "${{ a b }}" cannot be read; write ${{ NAME }}, or $${{ for these letters themselves',
  ],
  [
    '${{ open',
    '9:5 "${{ open\\n" cannot be read; write ${{ NAME }}, or $${{ for these letters themselves',
  ],
]

for (const [text, said] of UNFILLED) {
  test(`${text} is rejected in a kickoff`, async () => {
    expect(await problemsOf(`${AGENTS}kickoff: |\n  a ${text}\n`)).toEqual([said])
  })
}

test('rejects values that depend on themselves', async () => {
  expect(await problemsOf(`name: "\${{ workflow.name }}"\n${AGENTS}`)).toEqual([
    '1:8 workflow.name depends on itself: workflow.name, workflow.name; write one of them out',
  ])
  const both = `context:
  config:
    channel: \${{ context.document }}
    document: \${{ context.channel }}
${AGENTS}`
  const said = await problemsOf(both)
  expect(said.length).toBeGreaterThan(0)
  expect(said.every((line) => line.includes('depends on itself'))).toBe(true)
})

test('a setup command can use only the output of earlier commands', async () => {
  expect(
    await problemsOf(`${AGENTS}setup:
  - shell: echo \${{ b }}
    as: a
  - shell: echo \${{ b }}
    as: b
`),
  ).toEqual([
    '9:17 b is not known before its own command ran; move that command up',
    '11:17 b is not known before its own command ran; move that command up',
  ])
})

test('rejects setup output in a system prompt', async () => {
  const text = `setup: [{ shell: ls, as: files }]
agents: { a: { backend: claude, system_prompt: "see \${{ files }}" } }
`
  expect(await problemsOf(text)).toEqual([
    '2:53 agents.a.system_prompt uses the output of setup, files; use it in kickoff or in a later command of setup: it may hold a stranger’s words',
  ])
})

test('reports a bad placeholder in a prompt file by that file’s name', async () => {
  const around = { readText: () => ({ text: 'one\n  ${{ two }}\n' }) }
  const text = 'agents: { a: { backend: claude, system_prompt: p.md } }\n'
  const [said = ''] = await problemsOf(text, around)
  expect(said).toStartWith('p.md2:3 two is not known here')
})

test('checks the type and name of given params', async () => {
  const text = `params: [{ name: depth, type: number }, { name: on, type: boolean }]\n${AGENTS}`
  expect(await problemsOf(text, { params: { depth: 'deep', on: 'yes', dept: '1' } })).toEqual([
    '1:1 --param depth is "deep"; write a number such as 3 or 0.5',
    '1:1 --param on is "yes"; write true or false',
    '1:1 the file has no param "dept"; write depth',
  ])
  expect((await planOf(text, { params: { depth: '-2.5', on: 'true' } })).params).toEqual({
    depth: -2.5,
    on: true,
  })
})

test('reports a param without a value only where it is used', async () => {
  const text = `params: [{ name: a }, { name: b }, { name: c, required: true }]\n${AGENTS}kickoff: "@coder \${{ params.a }} \${{ params.c }}"\n`
  expect(await problemsOf(text)).toEqual([
    '1:36 the param c is required and was not given; add --param c=VALUE',
    expect.stringContaining(
      '9:18 the param a was not given and has no default; add --param a=VALUE, or give it a default',
    ),
  ])
  expect(await problemsOf(text, { params: { a: '', c: 'x' } })).toEqual([])
})

test('checking a file requires no params or variables', async () => {
  const text = `params: [{ name: a, required: true }]\n${AGENTS}kickoff: "@coder \${{ env.NONE }} \${{ params.a }}"\n`
  expect(await problemsOf(text, { checkOnly: true })).toEqual([])
})

test('finds mentions only in the file’s own text and in params', async () => {
  const text = `params: [{ name: who }]
setup: [{ shell: x, as: out }]
${AGENTS}kickoff: |
  @\${{ params.who }} see \${{ out }} and \${{ env.WHO }}; @\${{ env.EMPTY }}coder @cod\${{ out }}
  $\${{ out }} stays
`
  const plan = await planOf(text, { params: { who: 'reviewer' } })
  const kickoff = kickoffOf(plan, new Map([['out', 'er @coder urgent']]))
  if (kickoff === undefined) throw new Error('no kickoff')
  expect(kickoff.text).toBe(
    '@reviewer see er @coder urgent and @coder; @coder @coder @coder urgent\n${{ out }} stays\n',
  )
  expect(
    mentionsIn(kickoff.text, { names: ['reviewer', 'coder', 'cod'], within: kickoff.mentionable }),
  ).toEqual(['reviewer'])
  expect(kickoffOf(await planOf(AGENTS), new Map())).toBeUndefined()
})

test('setup output and environment values never become mentions or shell code', async () => {
  const names = ['reviewer', 'coder']
  const value = fc.array(
    fc.constantFrom('@coder', '@', 'coder', '${{ x }}', '; rm', ' ', '\n', 'a'),
  )
  await fc.assert(
    fc.asyncProperty(value, value, async (out, env) => {
      const text = `setup: [{ shell: one, as: x }, { shell: "two \${{ x }} \${{ env.E }}" }]
${AGENTS}kickoff: "@\${{ x }} \${{ env.E }}@reviewer \${{ x }}\${{ env.E }}"\n`
      const plan = await planOf(text, { env: () => env.join('') })
      const kickoff = kickoffOf(plan, new Map([['x', out.join('')]]))
      if (kickoff === undefined) throw new Error('no kickoff')
      expect(
        mentionsIn(kickoff.text, { names, within: kickoff.mentionable }).includes('coder'),
      ).toBe(false)
      expect(plan.setup[1]?.shell).toBe('two ${WORKFLOW_VALUE_1} ${WORKFLOW_VALUE_2}')
    }),
    { numRuns: 300 },
  )
})

const PARTS: [string, TextPart[]][] = [
  ['', []],
  ['a', [{ text: 'a' }]],
  ['${{ a }}', [{ name: 'a', at: 0 }]],
  ['${{a}}', [{ name: 'a', at: 0 }]],
  ['${{\n a.b-c_d \n}}', [{ name: 'a.b-c_d', at: 0 }]],
  [
    'x${{ a }}y${{ b }}',
    [{ text: 'x' }, { name: 'a', at: 1 }, { text: 'y' }, { name: 'b', at: 10 }],
  ],
  ['$${{ a }}', [{ text: '${{' }, { text: ' a }}' }]],
  ['$$${{ a }}', [{ text: '$${{' }, { text: ' a }}' }]],
  ['${ a } {{ b }} $a }}', [{ text: '${ a } {{ b }} $a }}' }]],
  ['${{ }}', [{ broken: '${{ }}', at: 0 }]],
  ['${{ a.b.c }}', [{ broken: '${{ a.b.c }}', at: 0 }]],
  ['${{ a || b }}', [{ broken: '${{ a || b }}', at: 0 }]],
  ['${{ a', [{ broken: '${{ a', at: 0 }, { text: ' a' }]],
  ['${{ ${{ a }}', [{ broken: '${{ ${{ a }}', at: 0 }]],
]
for (const [text, parts] of PARTS) {
  test(`the parts of ${JSON.stringify(text)}`, () => expect(partsOf(text)).toEqual(parts))
}

const words = fc.array(
  fc.constantFrom('${{', '}}', '$', '{', '}', ' a ', 'b.c', '\n', 'é', '😀', 'x'.repeat(250)),
)

test('the parts add up to the whole text, in order', () => {
  fc.assert(
    fc.property(words, (all) => {
      const text = all.join('')
      for (const part of partsOf(text)) {
        if ('text' in part) expect(part.text).not.toBe('')
        else expect(text.startsWith('${{', part.at)).toBe(true)
      }
      const plain = text.replaceAll('${{', '')
      if (plain === text) expect(partsOf(text)).toEqual(text === '' ? [] : [{ text }])
    }),
  )
})

test('reads a long text in one pass', () => {
  const before = performance.now()
  expect(partsOf('${{ '.repeat(100_000)).length).toBeGreaterThan(1000)
  expect(partsOf('$'.repeat(1_000_000))).toHaveLength(1)
  expect(performance.now() - before).toBeLessThan(3000)
})

test('finds a placeholder in an indented source, but not one spelled differently', () => {
  expect(
    offsetInSource('a ${{ b }}\nc ${{ d }}\n', 13, '|\n    a ${{ b }}\n    c ${{ d }}\n'),
  ).toBe(23)
  expect(offsetInSource('${{ b }}', 0, '"\\x24{{ b }}"')).toBe(0)
})
