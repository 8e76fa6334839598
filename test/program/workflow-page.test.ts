// Every command on the page about workflows is run, and prints what the page shows. Times differ, and so does the order in
// which two agents say that they are done and have begun.

import { expect, test } from 'bun:test'
import { symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { blocks, read } from '../docs/documents.ts'
import { DIST, folders, ROOT, run } from './process.ts'

const folder = folders()
const page = read('docs/workflows.md')

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
      .replace(/\d\d:\d\d:\d\d/g, 'TIME')
  return lines.map(same).toSorted()
}

test('the page shows what happens', async () => {
  expect(commands.length).toBeGreaterThan(3)
  const here = folder()
  // In a checkout these lie beside each other.
  for (const name of ['examples', 'scripts']) symlinkSync(join(ROOT, name), join(here, name))
  writeFileSync(join(here, 'wrong.yaml'), wrong())
  const env = { PATH: `${DIST}:${process.env.PATH}` }
  for (const { command, output } of commands) {
    const { out, err } = await run(['-c', command], { folder: here, env, program: ['sh'] })
    // A store is made once, wherever that is.
    const said = `${err.replace(/^\S+ made a new store at .*\n/m, '')}${out}`.trimEnd()
    expect({ command, said: comparable(said.split('\n')) }).toEqual({
      command,
      said: comparable(output),
    })
  }
}, 100_000)

test('the README begins where the page does', () => {
  const words = blocks(read('README.md'), 'sh').find((block) => block.startsWith('agent-worker'))
  expect(words?.trim()).toBe(commands[0]?.command)
})
