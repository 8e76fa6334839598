// A command loads only what it needs. The built program still obeys BUN_OPTIONS, which loads a probe that reports the
// chunks in use and their text.

import { expect, test } from 'bun:test'
import { join } from 'node:path'
import { ask, folders, run } from './process.ts'

const folder = folders()
const here = folder()

const PROBE = `
const { readFileSync, writeFileSync } = require('node:fs')
process.on('exit', () => {
  const chunks = Object.keys(require.cache).filter((path) => path.startsWith('/$bunfs/'))
  const texts = chunks.map((path) => [path.split('/').at(-1), readFileSync(path, 'utf8')])
  writeFileSync(process.env.PROBE_OUT, JSON.stringify(Object.fromEntries(texts)))
})
`
await Bun.write(join(here, 'probe.js'), PROBE)
await ask(['init'], { folder: here })

async function loaded(...words: string[]): Promise<Record<string, string>> {
  const out = join(here, `loaded-${crypto.randomUUID()}.json`)
  const env = { BUN_OPTIONS: `--preload ${join(here, 'probe.js')}`, PROBE_OUT: out }
  const { code, err } = await run(words, { folder: here, env })
  expect({ code, err }).toEqual({ code: 0, err: '' })
  return Bun.file(out).json()
}

/** Strings that occur only in heavy parts and survive minification. */
const MARKS = {
  'the PostgreSQL client': 'SCRAM-SHA-256',
  help: 'Exit codes: 0 done',
  completion: 'COMPREPLY',
  'the live view': '?1049h',
  doctor: 'names here are not proof',
  import: 'the event names a message the line does not hold',
  'how mail looks': "are the sender's words",
  'the broker': 'its supervisor cannot be started',
  'the MCP package': 'io.modelcontextprotocol/',
  'the demo': 'the demo has no such program',
  'the GraphQL package': 'Document contains more that',
  'the package for YAML': 'Implicit keys need to be on a single line',
  'the packages for models': 'anthropic-version',
  workflows: 'write NAME, NAME@INSTANCE or @INSTANCE',
}

function marksIn(chunks: Record<string, string>): string[] {
  const text = Object.values(chunks).join('\n')
  return Object.entries(MARKS)
    .filter(([, mark]) => text.includes(mark))
    .map(([name]) => name)
}

test('the probe sees which parts are loaded', async () => {
  expect(marksIn(await loaded('help'))).toContain('help')
  expect(marksIn(await loaded('completion', 'bash'))).toContain('completion')
  expect(marksIn(await loaded('doctor'))).toContain('doctor')
  expect(marksIn(await loaded('wake', 'run', '--help'))).toContain('the broker')
  expect(marksIn(await loaded('mcp', '--agent=worker'))).toContain('the MCP package')
  expect(marksIn(await loaded('workflow', 'list'))).toContain('workflows')
  await ask(['mail', 'send', '--from=user', '--to=user', '--body=Hi'], { folder: here })
  expect(marksIn(await loaded('mail', 'peek', '--agent=user'))).toContain('how mail looks')
})

test('the commands a worker calls all day load no heavy parts', async () => {
  const { thread } = await ask(['send', '--from=lead', '--to=worker', '--subject=Hi'], {
    folder: here,
  })
  const id = `--thread=${thread.thread_id}`
  for (const words of [
    ['fetch', '--agent=worker'],
    ['claim', '--agent=worker'],
    ['update', '--agent=worker', id, '--status=blocked', '--summary=Which?'],
    ['reply', '--from=lead', id, '--summary=That'],
    ['wait-reply', '--agent=worker', id],
    ['done', '--agent=worker', id, '--summary=Done'],
    ['send', '--from=lead', '--to=worker', '--subject=Next'],
    ['mail', 'send', '--from=lead', '--to=worker', '--body=Hello'],
    ['mail', 'read', '--agent=worker'],
    ['mail', 'mark-read', '--agent=worker', '--all'],
  ]) {
    const chunks = await loaded(...words, '--json')
    const bytes = Object.values(chunks).reduce((sum, text) => sum + text.length, 0)
    expect(marksIn(chunks)).toEqual([])
    // Up to 295,000 bytes today. Some 44,000 are queries used only by people's lists; loading them separately saved no
    // processor time (decision 11). The PostgreSQL client alone is more than 90,000.
    expect(bytes).toBeLessThan(300_000)
    expect(bytes).toBeGreaterThan(1000)
  }
})

test('a workflow file is checked without loading the packages for models', async () => {
  await Bun.write(join(here, 'agent.sh'), 'cat')
  const file = join(here, 'flow.yaml')
  const agent = 'backend: command, command: [sh, agent.sh], system_prompt: Work.'
  await Bun.write(file, `agents:\n  one: { ${agent} }\nkickoff: "@one go"\n`)
  const chunks = await loaded('workflow', 'check', file, '--json')
  expect(marksIn(chunks)).toEqual(['the package for YAML'])
})

test('only output for people loads the code that draws it', async () => {
  const json = Object.keys(await loaded('list', '--json'))
  const table = Object.keys(await loaded('list'))
  expect(json.filter((name) => name.startsWith('drawing'))).toEqual([])
  expect(table.filter((name) => name.startsWith('drawing'))).toHaveLength(1)
})
