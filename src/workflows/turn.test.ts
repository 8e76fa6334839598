import { afterAll, expect, test } from 'bun:test'
import { execFileSync } from 'node:child_process'
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { withOwnCommands } from './turn.ts'

const folder = mkdtempSync(join(tmpdir(), "own commands' "))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const program = join(folder, 'pro gram')
writeFileSync(program, '#!/bin/sh\necho "$(basename "$0"): $*"\n')
chmodSync(program, 0o755)

function say(words: readonly string[], name: string): string {
  const env = withOwnCommands({ PATH: process.env.PATH ?? '' }, folder, words)
  return execFileSync('sh', ['-c', `${name} context send "it's two words"`], {
    env,
    encoding: 'utf8',
  })
}

test('runs a single-file program under both of its names', () => {
  expect(say([program], 'inbox')).toBe("inbox: context send it's two words\n")
  expect(say([program], 'agent-worker')).toBe("agent-worker: context send it's two words\n")
})

test('runs a program of several words, and adds the group for its other name', () => {
  const words = [program, '-x', "o'ne two"]
  expect(say(words, 'inbox')).toBe("pro gram: -x o'ne two context send it's two words\n")
  expect(say(words, 'agent-worker')).toBe(
    "pro gram: -x o'ne two workflow context send it's two words\n",
  )
})

test('sets a PATH if there was none', () => {
  expect(withOwnCommands({}, folder, [program]).PATH).toBe(join(folder, 'bin'))
})
