import { describe, expect, test } from 'bun:test'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { runProgram } from './program.ts'

const PATH = process.env.PATH ?? ''

function run(command: string[], more: Partial<Parameters<typeof runProgram>[0]> = {}) {
  return runProgram({
    command,
    cwd: tmpdir(),
    env: { PATH },
    input: '',
    onLine: () => {},
    signal: new AbortController().signal,
    ...more,
  })
}

describe('a program that cannot be started fails with a remedy', () => {
  test.each([
    ['a missing folder', { cwd: '/no/such/folder' }, 'there is no folder /no/such/folder'],
    [
      'a variable that is too long',
      { env: { PATH, X: 'x'.repeat(300_000) } },
      'E2BIG; its arguments are too long',
    ],
  ])('%s', async (_, more, words) => {
    const { exit, why } = await run(['echo'], more)
    expect([exit, why]).toEqual([null, expect.stringContaining(words)])
  })

  test('an argument that cannot be passed to a program', async () => {
    expect((await run(['echo', 'a\0b'])).why).toContain('"echo" cannot be started in ')
  })

  test.each([
    [0o644, 'EACCES; make it executable (chmod +x)'],
    [0o755, 'ENOEXEC; begin it with #! and what runs it'],
  ])('a file with mode %o that isn’t a program', async (mode, words) => {
    const folder = mkdtempSync(join(tmpdir(), 'program-'))
    const path = join(folder, 'agent')
    writeFileSync(path, 'hello', { mode })
    const { why } = await run([path])
    rmSync(folder, { recursive: true })
    expect(why).toContain(words)
  })
})

test('kills a program that ignores a request to end', async () => {
  const stop = new AbortController()
  const onLine = () => stop.abort()
  const script = `trap '' TERM; echo ready; while :; do sleep 0.02; done`
  const end = await run(['sh', '-c', script], { onLine, signal: stop.signal, graceMs: 100 })
  expect(end).toEqual({ exit: null, why: 'it was ended from outside', stderr: '' })
})
