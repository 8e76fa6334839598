// Over standard output, an answer counts as shown once the system has accepted all of it for a reader that is still
// there.

import { expect, test } from 'bun:test'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { INBOX } from '../program/process.ts'
import { until } from '../worlds/world.ts'
import { scene, unique } from './scene.ts'
import { call } from './wire.ts'

const { shell, here } = scene()

/** More than a pipe can hold. */
const BODY = 'x'.repeat(300_000)

async function sentTo(name: string): Promise<void> {
  const file = join(here, 'body.txt')
  writeFileSync(file, BODY)
  await shell('mail', 'send', '--from', 'user', '--to', name, '--body-file', file)
}

async function stateOf(name: string): Promise<unknown> {
  const { messages } = await shell<{ messages: { state: string }[] }>(
    'mail',
    'peek',
    '--all',
    '--agent',
    name,
  )
  return messages[0]?.state
}

/** Runs the program with its output piped to another program. `head` exits once it has enough. */
function speaking(name: string, reader: string) {
  const script = `"$0" mcp --agent ${name} | ${reader}`
  return Bun.spawn(['/bin/bash', '-c', script, INBOX], {
    cwd: here,
    env: { PATH: process.env.PATH, HOME: here },
    stdin: 'pipe',
    stdout: 'pipe',
  })
}

test('a reader that exits after the beginning has not been shown the answer', async () => {
  const name = unique('leaver')
  await shell('agent', 'register', name)
  await sentTo(name)
  const program = speaking(name, 'head -c 1000')
  program.stdin.write(`${JSON.stringify(call(1, 'read_messages'))}\n`)
  await program.stdin.flush()
  expect((await new Response(program.stdout).text()).length).toBeGreaterThan(900)
  // The program exits because nothing reads its output.
  await program.exited
  expect(await stateOf(name)).toBe('queued')
})

test('a reader that takes everything has been shown the answer', async () => {
  const name = unique('taker')
  await shell('agent', 'register', name)
  await sentTo(name)
  const program = speaking(name, 'cat')
  program.stdin.write(`${JSON.stringify(call(1, 'read_messages'))}\n`)
  await program.stdin.flush()
  const heard = new Response(program.stdout).text()
  await until(async () => (await stateOf(name)) === 'presented', 'it is presented')
  program.stdin.end()
  expect((await heard).length).toBeGreaterThan(BODY.length)
  await program.exited
})
