// Runs `inbox install --approvals` and then the program as a person would start it. A tool call that needs approval is
// held, and continues once exactly that call is approved.

import { expect, test } from 'bun:test'
import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { ask, DIST, folders, run } from '../program/process.ts'
import { until } from '../worlds/world.ts'
import { claude, codex, homeOf } from './agents.ts'
import { MESSAGES } from './messages.ts'
import { type Heard, models, type Script } from './model.ts'
import { RESPONSES } from './responses.ts'

const folder = folders()
const model = models()
const env = { PATH: `${DIST}:${process.env.PATH}` }

type List = { requests: { request_id: string; title: string; status: string }[] }

async function requestsIn(here: string): Promise<List['requests']> {
  const list = (await ask(['request', 'list', '--tab', 'all'], { folder: here })) as unknown as List
  return list.requests
}

async function guarded(client = 'claude'): Promise<string> {
  const here = folder()
  expect((await run(['install', client, '--approvals'], { folder: here, env })).code).toBe(0)
  await ask(['agent', 'policy', client, '--require', 'tool:Bash(rm *)'], { folder: here })
  writeFileSync(join(here, 'kept.txt'), 'kept')
  return here
}

/** Runs two commands: one that needs no approval, and one that does. */
function removing(heard: string[]): Script {
  return function* () {
    heard.push(wordsOf(yield bash('echo free')))
    heard.push(wordsOf(yield bash('rm kept.txt')))
    yield { say: 'I am done' }
  }
}

const bash = (command: string) => ({ tool: 'Bash', args: { command, description: 'A command' } })
const wordsOf = ({ text }: Heard) => text
const WORDS = ['--allowedTools', 'Bash']

/** Plays a person who waits for a request and decides it. */
async function decide(here: string, ...words: string[]): Promise<string> {
  const request = await until(async () => (await requestsIn(here))[0]?.request_id, 'it is asked')
  await ask([words[0] as string, request, '--revision', '1', ...words.slice(1)], { folder: here })
  return request
}

test('claude waits for a person and runs the approved command once', async () => {
  const here = await guarded()
  const heard: string[] = []
  const scripted = model(MESSAGES)
  scripted.play(removing(heard))
  const [ran, request] = await Promise.all([
    claude('Go', WORDS, { folder: here, model: scripted }),
    decide(here, 'approve'),
  ])
  expect([ran.code, ran.said]).toEqual([0, 'I am done'])
  expect(heard[0]).toContain('free')
  expect(existsSync(join(here, 'kept.txt'))).toBe(false)
  expect(await requestsIn(here)).toMatchObject([
    { request_id: request, title: 'Bash: rm kept.txt', status: 'approved' },
  ])
})

test('claude gets the reason for a rejection and does not run the command', async () => {
  const here = await guarded()
  const heard: string[] = []
  const scripted = model(MESSAGES)
  scripted.play(removing(heard))
  const [ran] = await Promise.all([
    claude('Go', WORDS, { folder: here, model: scripted }),
    decide(here, 'reject', '--notes', 'It is still needed'),
  ])
  expect(ran.code).toBe(0)
  expect(heard[1]).toContain('It is still needed')
  expect(existsSync(join(here, 'kept.txt'))).toBe(true)
})

test('claude may not use any tool while the store is unusable', async () => {
  const here = await guarded()
  const heard: string[] = []
  const scripted = model(MESSAGES)
  scripted.play(removing(heard))
  writeFileSync(join(here, '.agents/coord.db'), 'no store'.repeat(1000))
  const ran = await claude('Go', WORDS, { folder: here, model: scripted })
  expect(ran.code).toBe(0)
  expect(heard[0]).toContain('this call is not allowed')
  expect(heard[1]).toContain('this call is not allowed')
  expect(existsSync(join(here, 'kept.txt'))).toBe(true)
})

test('claude may not use a tool while its hook hangs', async () => {
  const here = await guarded()
  const settings = join(here, '.claude/settings.json')
  const text = await Bun.file(settings).text()
  // The hook is allowed one second but takes a minute.
  writeFileSync(
    settings,
    text
      .replace('"timeout": 180', '"timeout": 1')
      .replace(/(?<="command": ")(?=\S*inbox tool-hook)/, 'sleep 60; '),
  )
  const heard: string[] = []
  const scripted = model(MESSAGES)
  scripted.play(removing(heard))
  const ran = await claude('Go', WORDS, { folder: here, model: scripted })
  expect([ran.code, ran.said]).toEqual([0, 'I am done'])
  // The command that needs no approval is held as well, because the hook couldn't report that in time.
  expect(heard[0]).not.toMatch(/^free$/m)
  expect(existsSync(join(here, 'kept.txt'))).toBe(true)
})

test.each([
  ['approve', false],
  ['reject', true],
])('codex, whose sandbox would allow it, follows the decision: %s', async (verb, isKept) => {
  const here = await guarded('codex')
  const trust = `[projects.${JSON.stringify(here)}]\ntrust_level = "trusted"\n`
  writeFileSync(join(homeOf(here), 'config.toml'), trust)
  const scripted = model(RESPONSES)
  scripted.play(function* () {
    yield { tool: 'exec_command', args: { cmd: 'echo free > free.txt' } }
    yield { tool: 'exec_command', args: { cmd: 'rm kept.txt' } }
    yield { say: 'I am done' }
  })
  const words = ['--dangerously-bypass-hook-trust', '-s', 'danger-full-access']
  const [ran] = await Promise.all([
    codex('Go', words, { folder: here, model: scripted }),
    decide(here, verb),
  ])
  expect([ran.code, ran.said]).toEqual([0, 'I am done'])
  expect(existsSync(join(here, 'free.txt'))).toBe(true)
  expect(existsSync(join(here, 'kept.txt'))).toBe(isKept)
  expect(await requestsIn(here)).toMatchObject([{ title: 'Bash: rm kept.txt' }])
})
