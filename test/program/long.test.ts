// A person at a terminal sees what a command waits for; a pipe gets only the answer.

import { expect, test } from 'bun:test'
import { ask, folders, onScreen, run } from './process.ts'

const folder = folders()
const WIPE = '\r\u001b[2K'

async function blocked() {
  const here = folder()
  const { thread } = await ask(['send', '--from=lead', '--to=worker', '--subject=Page'], {
    folder: here,
  })
  await ask(['claim', '--agent=worker'], { folder: here })
  const question = ['--status=blocked', '--summary=Which?', '--agent=worker']
  await ask(['update', `--thread=${thread.thread_id}`, ...question], { folder: here })
  return { here, thread: thread.thread_id }
}

test('a wait shows who waits for what, since when, and how to stop, and leaves only its answer', async () => {
  const { here, thread } = await blocked()
  const args = ['wait-reply', `--thread=${thread}`, '--agent=worker']
  const screen = onScreen(args, { folder: here, columns: 120 })
  await screen.until(/since \d\d:\d\d waiting for worker: a reply in thr_\S+; Ctrl-C stops/)
  const from = screen.text().length
  await ask(['reply', `--thread=${thread}`, '--from=lead', '--summary=This'], { folder: here })
  expect(await screen.exited).toBe(0)
  const rest = screen.text().slice(from)
  expect(rest).toStartWith(WIPE)
  expect(rest).toContain('This')
  expect(rest).not.toContain('waiting')
})

test('an interrupted wait clears its line, which is a single one on a narrow terminal', async () => {
  const { here, thread } = await blocked()
  const args = ['wait-reply', `--thread=${thread}`, '--agent=worker']
  const screen = onScreen(args, { folder: here, columns: 40 })
  await screen.until(/since \d\d:\d\d waiting/)
  const [, line = ''] = screen.text().split(WIPE)
  expect(line.length).toBeLessThan(40)
  expect(line).toEndWith('Ctrl-C stops')
  screen.type('\u0003')
  expect(await screen.exited).toBe(130)
  expect(screen.text().slice(screen.text().indexOf('waiting'))).toContain(WIPE)
})

test('a pipe gets only the answer', async () => {
  const { here, thread } = await blocked()
  const args = ['wait-reply', `--thread=${thread}`, '--agent=worker', '--timeout-seconds=1']
  const { out, err, code } = await run(args, { folder: here })
  expect(code).toBe(10)
  expect(out + err).not.toContain('waiting')
  expect(out + err).not.toContain(WIPE)
})
