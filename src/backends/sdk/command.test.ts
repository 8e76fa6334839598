import { expect, test } from 'bun:test'
import { tmpdir } from 'node:os'
import { runCommand } from './command.ts'

const run = (command: string[], more: { seconds?: number; signal?: AbortSignal } = {}) =>
  runCommand({
    command,
    cwd: tmpdir(),
    seconds: 20,
    signal: new AbortController().signal,
    env: { PATH: process.env.PATH ?? '' },
    ...more,
  })

test('runs a program without a shell, and reports how it ended', async () => {
  expect(await run(['printf', '%s', '$HOME; echo *'])).toBe('exit 0\n$HOME; echo *')
  expect(await run(['sh', '-c', 'echo out; echo err >&2; exit 3'])).toMatch(
    /^exit 3\n(out\nerr|err\nout)/,
  )
  expect(await run(['no-such-program'])).toStartWith('"no-such-program" cannot be started: ENOENT')
})

test('cuts long output in the middle', async () => {
  const shown = await run([
    'sh',
    '-c',
    'echo first; head -c 5000000 /dev/zero | tr "\\0" x; echo last',
  ])
  expect(shown.length).toBeLessThan(31_000)
  expect(shown).toContain('first')
  expect(shown).toContain('characters left out]')
  expect(shown).toEndWith('last\n')
})

test('ends a program that takes too long, even one that ignores signals', async () => {
  expect(await run(['sleep', '30'], { seconds: 0.1 })).toStartWith(
    'exit SIGTERM (ended: it took longer than 0.1 seconds)',
  )
  const deaf = ['sh', '-c', "trap '' TERM; while :; do :; done"]
  expect(await run(deaf, { seconds: 0.3 })).toStartWith('exit SIGKILL (ended')
}, 20_000)

test('the end of the turn ends the program', async () => {
  const over = new AbortController()
  const running = run(['sleep', '30'], { signal: over.signal })
  over.abort()
  expect(await running).toStartWith('exit SIGTERM (ended: the turn ended)')
})

test('does not wait long for a child that holds the output open', async () => {
  const began = performance.now()
  const shown = await run(['sh', '-c', 'sleep 20 & echo $!'])
  process.kill(Number(shown.split('\n')[1]), 'SIGKILL')
  expect(shown).toStartWith('exit 0\n')
  expect(performance.now() - began).toBeLessThan(10_000)
}, 20_000)
