// Runs every command on the page about workflows and compares its output with the page. Times may differ, as may the
// order in which two agents report that they've started and finished.

import { expect, test } from 'bun:test'
import { symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { blocks, read } from '../docs/documents.ts'
import { DIST, folders, ROOT, run } from './process.ts'

const folder = folders()
const page = read('docs/workflows.md')

/** Stands for lines that the page leaves out. */
const MORE = '…'

type Shown = { command: string; output: string[] }

const commands: Shown[] = []
for (const line of blocks(page, 'console').join('').trimEnd().split('\n')) {
  if (line.startsWith('$ ')) commands.push({ command: line.slice(2), output: [] })
  else commands.at(-1)?.output.push(line)
}

/** The page's first file with two typos added, for the page's example of an invalid file. */
function wrong(): string {
  const [first = ''] = blocks(page, 'yaml')
  return first
    .replace('# review.yaml\n', '')
    .replace('backend: claude', 'modle: claude')
    .replace('kickoff:', 'kickof:')
}

function comparable(lines: readonly string[]): string[] {
  const same = (line: string) =>
    line
      .replace(/\d+(\.\d+)? (s|min)\b/g, 'N s')
      .replace(/\d{4}-\d\d-\d\d/g, 'DATE')
      .replace(/began (now|N s ago)/, 'began then')
      .replace(/process \d+/, 'process N')
      .replace(/:31\d\d\/mcp/, ':PORT/mcp')
      .replace(/^log: .*/, 'log: FILE')
      .replace(/ (running|idle)( +\d+ unread)?$/, ' STATUS')
  return lines.map(same).toSorted()
}

test('the page shows what the commands print', async () => {
  expect(commands.length).toBeGreaterThan(3)
  const here = folder()
  // A checkout has these folders side by side.
  for (const name of ['examples', 'scripts']) symlinkSync(join(ROOT, name), join(here, name))
  writeFileSync(join(here, 'wrong.yaml'), wrong())
  const env = { PATH: `${DIST}:${process.env.PATH}` }
  try {
    for (const { command, output } of commands) {
      const { out, err } = await run(['-c', command], { folder: here, env, program: ['sh'] })
      // Leaves out the notice about a new store, which appears only once.
      const said = `${err.replace(/^\S+ made a new store at .*\n/m, '')}${out}`.trimEnd()
      const all = comparable(said.split('\n'))
      const shown = comparable(output.filter((line) => line !== MORE))
      if (shown.length < output.length)
        expect({ command, all }).toMatchObject({ command, all: expect.arrayContaining(shown) })
      else expect({ command, all }).toEqual({ command, all: shown })
    }
  } finally {
    await run(['stop', '--all'], { folder: here, program: [join(DIST, 'agent-worker')] })
  }
}, 100_000)

test("the README begins with the page's first command", () => {
  const words = blocks(read('README.md'), 'sh').find((block) => block.startsWith('agent-worker'))
  expect(words?.trim()).toBe(commands[0]?.command)
})
