// Help, as it is printed: the checked-in transcript is what the program says, word for word.

import { expect, test } from 'bun:test'
import { join } from 'node:path'
import { CATALOGUE } from '../../src/ops/catalogue.ts'
import { folders, ROOT, run } from './process.ts'

const folder = folders()

const transcript = await Bun.file(join(ROOT, 'docs/transcripts/help.txt')).text()
const pages = new Map(
  transcript
    .split(/^(?=\$ inbox )/m)
    .map((page) => [page.slice(2, page.indexOf('\n')), page.slice(page.indexOf('\n') + 1)]),
)

test('every command has its help in the transcript', () => {
  const commands = Object.keys(CATALOGUE).map((name) => `inbox ${name} --help`)
  expect([...pages.keys()]).toEqual(['inbox help', ...commands])
})

test.each([...pages.keys()])('%s prints what is checked in', async (command) => {
  const here = folder()
  const words = command.split(' ').slice(1)
  const { code, out, err } = await run(words, { folder: here })
  // A blank line stands between two pages of the transcript.
  expect(out.trimEnd()).toBe((pages.get(command) ?? '').trimEnd())
  expect({ code, err }).toEqual({ code: 0, err: '' })
})

test('the ways to ask for help agree, and make no store', async () => {
  const here = folder()
  const { out } = await run(['claim', '--help'], { folder: here })
  expect((await run(['help', 'claim'], { folder: here })).out).toBe(out)
  expect((await run(['claim', '-h'], { folder: here })).out).toBe(out)
  expect((await run(['--help', 'claim'], { folder: here })).out).toBe(out)
  const overall = await run(['help'], { folder: here })
  expect((await run(['--help'], { folder: here })).out).toBe(overall.out)
  expect(overall.out).toContain('wait-reply')
  expect(await Array.fromAsync(new Bun.Glob('**').scan({ cwd: here, dot: true }))).toEqual([])
})

test('help for a command that does not exist is refused', async () => {
  const ran = await run(['help', 'clam'], { folder: folder() })
  expect(ran).toMatchObject({ code: 30, out: '' })
})
