// Runs a workflow agent's turn with each backend that is a vendor's program. The agent gets its mail, answers with the
// tools, continues its session, and starts a new one when the old one is gone.

import { describe, expect, test } from 'bun:test'
import fs from 'node:fs'
import { join } from 'node:path'
import { backendOf, type TurnLine, type TurnTask } from '../../src/backends/backend.ts'
import { thisProcess } from '../../src/bin/process-tree.ts'
import { folders } from '../program/process.ts'
import { begin, besideDoor, speak } from '../worlds/instances.ts'
import {
  claudeEnv,
  codexEnv,
  GEMINI,
  geminiEnv,
  homeOf,
  OPENCODE,
  opencodeEnv,
  type Running,
} from './agents.ts'
import { CHAT } from './chat.ts'
import { asked } from './day.ts'
import type { Dialect } from './dialect.ts'
import { GENERATE } from './generate.ts'
import { MESSAGES } from './messages.ts'
import { type Model, models, type Script } from './model.ts'
import { RESPONSES } from './responses.ts'

const folder = folders()
const model = models()

type Case = {
  dialect: Dialect
  model: string
  env: (around: Running) => Record<string, string>
  /** Writes the settings that a user of the program would have. */
  prepare: (home: string, scripted: Model) => void
  /** A project file that is changed during the turn. */
  file?: string
}

const BEFORE = '{ // ours\n  "ui": {"theme": "Ayu"},\n}'

const CASES: Record<string, Case> = {
  claude: {
    dialect: MESSAGES,
    model: 'anthropic/claude-sonnet-4-5',
    env: claudeEnv,
    prepare: () => {},
  },
  codex: {
    dialect: RESPONSES,
    model: 'scripted/scripted',
    env: codexEnv,
    prepare: (home, { url }) =>
      fs.writeFileSync(
        join(home, 'config.toml'),
        `[analytics]\nenabled = false\n[features]\nplugins = false\napps = false\n[model_providers.scripted]\nname = "scripted"\nbase_url = "${url}/v1"\nwire_api = "responses"\nenv_key = "SCRIPTED_KEY"\n`,
      ),
  },
  opencode: {
    dialect: CHAT,
    model: 'scripted/scripted',
    env: opencodeEnv,
    prepare: (home) => linkProgram(home, 'opencode', OPENCODE),
  },
  gemini: {
    dialect: GENERATE,
    model: 'google/gemini-2.5-flash',
    env: geminiEnv,
    file: '.gemini/settings.json',
    prepare(home) {
      const settings = { security: { auth: { selectedType: 'gemini-api-key' } } }
      fs.mkdirSync(join(home, '.gemini'))
      fs.writeFileSync(join(home, '.gemini/settings.json'), JSON.stringify(settings))
      linkProgram(home, 'gemini', GEMINI.slice(0, 2))
    },
  },
}

/** Some programs are Node scripts that aren't on the PATH. */
function linkProgram(home: string, name: string, words: string[]): void {
  const path = join(home, 'bin', name)
  fs.mkdirSync(join(home, 'bin'))
  fs.writeFileSync(path, `#!/bin/sh\nexec ${words.join(' ')} "$@"\n`, { mode: 0o755 })
}

async function prepare(name: string) {
  const { dialect, env, prepare, file, model: modelName } = CASES[name] as Case
  const here = folder()
  const db = join(here, 'store.db')
  await besideDoor({ address: db }, async (room) => {
    await begin(room)
    await speak(room, 'user', '@coder the house is to be painted')
  })
  const scripted = model(dialect)
  const home = homeOf(here)
  prepare(home, scripted)
  if (file !== undefined) {
    fs.mkdirSync(join(here, '.gemini'))
    fs.writeFileSync(join(here, file), BEFORE)
  }
  const own = join(here, '.private')
  fs.mkdirSync(own)
  const told: TurnLine[] = []
  const variables = env({ folder: here, model: scripted })
  const task: TurnTask = {
    agent_id: 'coder@pr-1',
    name: 'coder',
    instance: 'pr-1',
    model: modelName,
    system: 'You are Bob, who builds. {env:HOME}',
    prompt: 'The house is to be painted. ü',
    mail: [],
    tools: [],
    session: null,
    cwd: here,
    folder: own,
    mcp: { command: 'inbox', args: ['mcp', '--sets', 'workflow'], env: { INBOX_DB: db } },
    env: { ...variables, PATH: `${join(home, 'bin')}:${variables.PATH}` },
    living: thisProcess(),
    signal: new AbortController().signal,
    tell: (line) => told.push(line),
  }
  return { here, db, task, scripted, told, file: file === undefined ? undefined : join(here, file) }
}

/** Finds the mention with the tools, and answers it in the channel. */
const answer = (words: string, isFirst = true): Script =>
  function* () {
    const { answer: mail, text } = yield { tool: 'inbox_check', args: {} }
    const [id] = /msg_[0-9a-z]{26}/.exec(`${JSON.stringify(mail)}${text}`) ?? []
    expect(id === undefined).toBe(!isFirst)
    const args = { message: `@user ${words}`, ...(id === undefined ? {} : { reply_to: id }) }
    const { answer: sent } = yield { tool: 'channel_send', args }
    expect(sent.error).toBeUndefined()
    yield { say: `I said\n${words}` }
  }

type Entries = { entries: { from: string; message: string; reply_to: string | null }[] }

async function entriesIn(here: string, db: string): Promise<string[][]> {
  const words = ['workflow', 'context', 'read', '--agent', 'coder@pr-1']
  const { entries } = await asked<Entries>({ folder: here, env: { INBOX_DB: db } }, words)
  return entries.map(({ from, message, reply_to }) => [from, message, reply_to ? 'answer' : ''])
}

describe.each(Object.keys(CASES))('%s', (name) => {
  test('takes a turn with the tools, and continues its session', async () => {
    const { here, db, task, scripted, told, file } = await prepare(name)
    const backend = await backendOf(name)
    scripted.play(answer('Painted, büt wet'))
    const first = await backend.run(task)
    scripted.check()
    expect(first).toEqual({
      ok: true,
      exit: 0,
      session: expect.any(String),
      last: 'I said\nPainted, büt wet',
    })
    expect(scripted.asked[0]).toContain('You are Bob, who builds. {env:HOME}')
    expect(scripted.asked[0]).toContain('The house is to be painted. ü')
    const tools = told.filter(({ kind }) => kind === 'tool').map(({ text }) => text)
    expect(tools).toEqual([
      expect.stringContaining('inbox_check'),
      expect.stringContaining('channel_send {'),
    ])
    const before = scripted.asked.length
    scripted.play(answer('Dry', false))
    const second = await backend.run({ ...task, prompt: 'Is it dry?', session: first.session })
    scripted.check()
    expect(second).toEqual({ ok: true, exit: 0, session: first.session, last: 'I said\nDry' })
    expect(scripted.asked[before]).toContain('The house is to be painted.')
    expect(await entriesIn(here, db)).toEqual([
      ['system', 'Workflow started', ''],
      ['user', '@coder the house is to be painted', ''],
      ['coder', '@user Painted, büt wet', 'answer'],
      ['coder', '@user Dry', ''],
    ])
    if (file !== undefined) expect(fs.readFileSync(file, 'utf8')).toBe(BEFORE)
    expect(fs.existsSync(join(here, '.workflow'))).toBe(false)
  })

  test('begins a new session when the old one is gone', async () => {
    const { task, scripted, told } = await prepare(name)
    scripted.play(answer('Here'))
    const gone = name === 'opencode' ? 'ses_00000000000000000000000000' : crypto.randomUUID()
    const result = await (await backendOf(name)).run({ ...task, session: gone })
    scripted.check()
    expect(result).toMatchObject({ ok: true, last: 'I said\nHere' })
    expect(result.session).not.toBe(gone)
    expect(told.map(({ text }) => text)).toContain(
      `its session ${gone} is gone; it begins a new one`,
    )
  })
})

test("two gemini agents at once share the project's file, which is restored", async () => {
  const all = await Promise.all(['first', 'second'].map(() => prepare('gemini')))
  const [{ here, file = '' }] = all as [(typeof all)[0]]
  const { run } = await backendOf('gemini')
  const results = await Promise.all(
    all.map(({ task, scripted }, at) => {
      scripted.play(answer(`From ${at}`))
      return run({ ...task, cwd: here, tools: at === 0 ? [] : ['threads'] })
    }),
  )
  for (const { scripted } of all) scripted.check()
  expect(results.map(({ ok, last }) => [ok, last])).toEqual([
    [true, 'I said\nFrom 0'],
    [true, 'I said\nFrom 1'],
  ])
  expect(all.map(({ scripted }) => scripted.asked[0]?.includes('thread_claim'))).toEqual([
    false,
    true,
  ])
  expect(fs.readFileSync(file, 'utf8')).toBe(BEFORE)
  expect(fs.existsSync(join(here, '.workflow'))).toBe(false)
})
