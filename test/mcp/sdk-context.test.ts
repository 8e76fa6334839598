// An agent with backend `sdk` in its workflow: over the socket, over the port, and through its own server process.

import { describe, expect, test } from 'bun:test'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { backendOf, type TurnLine, type TurnTask } from '../../src/backends/backend.ts'
import { thisProcess } from '../../src/bin/process-tree.ts'
import { MESSAGES } from '../clients/messages.ts'
import { models, type Script } from '../clients/model.ts'
import { ask, INBOX } from '../program/process.ts'
import { contextScene } from './context-scene.ts'

const scene = contextScene()
const model = models()

function taskFor(mcp: Partial<TurnTask['mcp']>, more: Partial<TurnTask> = {}) {
  const here = scene.folder()
  const at = model(MESSAGES)
  const told: TurnLine[] = []
  const folder = join(here, 'own')
  mkdirSync(folder)
  const { PATH = '' } = process.env
  const task: TurnTask = {
    agent_id: 'coder@pr-1',
    name: 'coder',
    instance: 'pr-1',
    session: null,
    system: 'You are the coder.',
    prompt: 'You have mail.',
    mail: [],
    tools: [],
    model: 'anthropic/claude-sonnet-4-5',
    cwd: here,
    folder,
    mcp: { command: '', args: [], env: {}, ...mcp },
    env: { PATH, HOME: here, ANTHROPIC_API_KEY: 'k', ANTHROPIC_BASE_URL: at.url },
    living: thisProcess(),
    signal: new AbortController().signal,
    tell: (line) => told.push(line),
    ...more,
  }
  return { task, at, told }
}

/** Finds its mention and replies by name. */
const answers: Script = function* () {
  const { text } = yield { tool: 'inbox_check', args: {} }
  const id = /msg_[0-9a-z]{26}/.exec(text)?.[0]
  yield { tool: 'channel_send', args: { message: 'fixed, @reviewer', reply_to: id } }
  yield { say: 'I fixed it.' }
}

const WAYS: Record<string, () => Partial<TurnTask['mcp']>> = {
  'the socket': () => ({ socket: scene.context().socket }),
  'the port': () => ({ url: scene.context().url }),
  'a server of its own': () => ({
    command: INBOX,
    args: ['mcp', '--sets', 'workflow'],
    env: { INBOX_DB: scene.db },
  }),
}

async function lastEntry(): Promise<object | undefined> {
  const args = ['workflow', 'context', 'read', '--agent', 'reviewer@pr-1', '--db', scene.db]
  const { entries } = (await ask(args, { folder: scene.here })) as unknown as { entries: object[] }
  return entries.at(-1)
}

describe.each(Object.keys(WAYS))('by %s', (name) => {
  test('it answers a mention in the channel', async () => {
    const { task, at, told } = taskFor((WAYS[name] as (typeof WAYS)[string])())
    const { entry } = await scene.say('reviewer@pr-1', '@coder please fix it')
    at.play(answers)
    const sdk = await backendOf('sdk')
    expect(await sdk.run(task)).toMatchObject({ ok: true, last: 'I fixed it.' })
    at.check()
    expect(told.map(({ kind }) => kind)).toEqual(['tool', 'tool', 'text'])
    expect(await lastEntry()).toMatchObject({
      from: 'coder',
      message: 'fixed, @reviewer',
      reply_to: entry.id,
    })
    expect(at.asked[0]).not.toContain('send_message')
  })
})

test('a turn’s token identifies its agent', async () => {
  const issued = await ask(['token', 'issue', 'coder@pr-1', '--db', scene.db], {
    folder: scene.here,
  })
  const { token } = issued as unknown as { token: string }
  const { socket } = scene.context()
  const { task, at } = taskFor({ socket, env: { INBOX_TOKEN: token } })
  at.play(function* () {
    yield { tool: 'channel_send', args: { message: 'by token' } }
    yield { say: 'ok' }
  })
  const sdk = await backendOf('sdk')
  expect(await sdk.run(task)).toMatchObject({ ok: true })
  expect(await lastEntry()).toMatchObject({ from: 'coder', message: 'by token' })
  const forged = taskFor({ socket, env: { INBOX_TOKEN: `${token}x` } })
  const refused = await sdk.run(forged.task)
  expect(refused.ok).toBe(false)
  expect(forged.at.asked).toEqual([])
})

test('falls back to the next transport if one does not work', async () => {
  const { task, at, told } = taskFor({ socket: '/nowhere/context.sock', url: scene.context().url })
  at.play(function* () {
    yield { say: 'here' }
  })
  const sdk = await backendOf('sdk')
  expect(await sdk.run(task)).toMatchObject({ ok: true, last: 'here' })
  expect(told[0]).toMatchObject({
    kind: 'error',
    text: expect.stringContaining('cannot be reached'),
  })
})

test('an agent with additional sets has them along with the workflow’s', async () => {
  const { socket } = scene.context()
  const args = ['mcp', '--sets', 'workflow']
  const own = { command: INBOX, args, env: { INBOX_DB: scene.db } }
  const { task, at } = taskFor({ socket, ...own }, { tools: ['mailbox'] })
  at.play(function* () {
    yield { say: 'both' }
  })
  const sdk = await backendOf('sdk')
  expect(await sdk.run(task)).toMatchObject({ ok: true })
  expect(at.asked[0]).toContain('send_message')
  expect(at.asked[0]).toContain('channel_send')
})
