// The examples that need no key run on a bare machine, without this program on the PATH.

import { expect, test } from 'bun:test'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { DIST, folders, ROOT, run } from './process.ts'

const folder = folders()
const WORKER = { program: [join(DIST, 'agent-worker')] }
const example = (name: string) => join(ROOT, 'examples/command', name)

type Results = {
  ended: string
  agents: { agent: string; turns: number; last: string }[]
}

/** Parses a run's results, the last line of its output. */
function resultsIn(out: string): Results {
  return JSON.parse(out.trimEnd().split('\n').at(-1) ?? '') as Results
}

test('one agent in shell reviews a change, and its findings are in the document', async () => {
  const here = folder()
  const ran = await run(['run', example('review.yaml')], { folder: here, ...WORKER })
  expect({ code: ran.code, err: ran.err }).toMatchObject({ code: 0 })
  expect(ran.out).toStartWith('default is done (1 turn, 2 entries, ')
  expect(ran.err).toContain('[reviewer] @user I looked at the change and found 2 things')
  const context = join(here, '.workflow/default')
  expect(readFileSync(join(context, 'notes.md'), 'utf8')).toContain(
    '- print("login", name, secret)',
  )
  const channel = readFileSync(join(context, 'channel.md'), 'utf8')
  expect(channel.match(/^### .*$/gm)?.map((head) => head.slice(13))).toEqual([
    '[system]',
    '[user]',
    '[reviewer]',
  ])
})

test('agents in TypeScript, shell and Python review and fix a file together, twice', async () => {
  const here = folder()
  for (const turn of [1, 2]) {
    const words = ['run', example('code-review.yaml'), '--instance', 'pr-1', '--json']
    const ran = await run(words, { folder: here, ...WORKER })
    expect({ code: ran.code, err: ran.err }).toEqual({ code: 0, err: expect.any(String) })
    const { ended, agents } = resultsIn(ran.out)
    expect(ended).toBe('idle')
    expect(agents.map(({ last }) => last)).toEqual([
      'the review is done',
      'nothing left to find',
      'fixed greet.py',
    ])
    const context = join(here, '.workflow/pr-1')
    expect(readFileSync(join(context, 'greet.py'), 'utf8')).toContain('return "Hello, " + name')
    const channels = readdirSync(context).filter((file) => file.startsWith('channel'))
    expect(channels).toHaveLength(turn)
  }
})
