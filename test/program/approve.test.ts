// A store that came from elsewhere starts nothing until its user has approved it.

import { expect, test } from 'bun:test'
import { cpSync, existsSync, mkdirSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { folders, run, start } from './process.ts'

const folder = folders()

async function withCommand(here: string): Promise<string> {
  const ran = join(here, 'ran')
  const wake = ['--wake-command', JSON.stringify(['/usr/bin/touch', ran])]
  expect((await run(['agent', 'register', 'bob', ...wake], { folder: here })).code).toBe(0)
  const mail = [
    'mail',
    'send',
    '--from',
    'user',
    '--to',
    'bob',
    '--type',
    'question',
    '--body',
    'Hi',
  ]
  expect((await run(mail, { folder: here })).code).toBe(0)
  return ran
}

async function firstLine(stream: ReadableStream<Uint8Array>): Promise<string> {
  const decoder = new TextDecoder()
  let text = ''
  for await (const chunk of stream) {
    text += decoder.decode(chunk, { stream: true })
    if (text.includes('\n')) break
  }
  return text
}

async function untilStarted(here: string, args: string[]): Promise<string> {
  const child = start([...args, '--json'], { folder: here })
  const line = await firstLine(child.stdout)
  child.kill('SIGTERM')
  await child.exited
  return line
}

test('a store made here starts its agents, also when its folder is moved', async () => {
  const here = folder()
  await withCommand(here)
  const moved = join(here, 'moved')
  mkdirSync(moved)
  renameSync(join(here, '.agents'), join(moved, '.agents'))
  expect(await untilStarted(moved, ['wake', 'run'])).toContain('"started"')
})

test('a copy of one does not, until it is approved', async () => {
  const here = folder()
  const ran = await withCommand(here)
  const clone = folder()
  cpSync(join(here, '.agents'), join(clone, '.agents'), { recursive: true })
  const refused = await run(['wake', 'run'], { folder: clone })
  expect(refused.code).toBe(40)
  expect(refused.err).toContain('1 command')
  expect(refused.err).toContain('inbox wake approve')

  const server = start(['serve', '--json'], {
    folder: clone,
    env: { XDG_RUNTIME_DIR: clone },
  })
  expect(await firstLine(server.stderr)).toContain('wakes are off for')
  expect(await firstLine(server.stdout)).toContain('"serving":true')
  server.kill('SIGTERM')
  expect(await server.exited).toBe(0)
  const log = await run(['wake', 'log', '--json'], { folder: clone })
  expect(JSON.parse(log.out)).toMatchObject({ wakes: [] })
  expect(existsSync(ran)).toBe(false)

  const approved = await run(['wake', 'approve'], { folder: clone })
  expect(approved).toMatchObject({ code: 0, out: expect.stringContaining('/usr/bin/touch') })
  expect(await untilStarted(clone, ['wake', 'run'])).toContain('"started"')
  // What takes its place is another.
  rmSync(join(clone, '.agents'), { recursive: true })
  cpSync(join(here, '.agents'), join(clone, '.agents'), { recursive: true })
  expect((await run(['wake', 'run'], { folder: clone })).code).toBe(40)
})
