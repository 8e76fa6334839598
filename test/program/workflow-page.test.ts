// Every command on the page about workflows is run, and prints what the page shows. Times differ, and so does the order in
// which two agents say that they are done and have begun.

import { expect, test } from 'bun:test'
import { symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { blocks, read } from '../docs/documents.ts'
import { DIST, folders, ROOT, run } from './process.ts'

const folder = folders()
const page = read('docs/workflows.md')

/** A line that stands for others. */
const MORE = '…'

type Shown = { command: string; output: string[] }

const commands: Shown[] = []
for (const line of blocks(page, 'console').join('').trimEnd().split('\n')) {
  if (line.startsWith('$ ')) commands.push({ command: line.slice(2), output: [] })
  else commands.at(-1)?.output.push(line)
}

/** A fault for each line that the page says is wrong: the first file of the page with two slips of the pen. */
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

test('the page shows what happens', async () => {
  expect(commands.length).toBeGreaterThan(3)
  const here = folder()
  // In a checkout these lie beside each other.
  for (const name of ['examples', 'scripts']) symlinkSync(join(ROOT, name), join(here, name))
  writeFileSync(join(here, 'wrong.yaml'), wrong())
  const env = { PATH: `${DIST}:${process.env.PATH}` }
  try {
    for (const { command, output } of commands) {
      const { out, err } = await run(['-c', command], { folder: here, env, program: ['sh'] })
      // A store is made once, wherever that is.
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

test('the README begins where the page does', () => {
  const words = blocks(read('README.md'), 'sh').find((block) => block.startsWith('agent-worker'))
  expect(words?.trim()).toBe(commands[0]?.command)
})
