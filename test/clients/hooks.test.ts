// Runs `inbox install` and then the program as a person would start it. It finds the tools, its model is shown unread
// mail with the prompt, and mail that arrives during the turn keeps the turn from ending once.

import { expect, test } from 'bun:test'
import { randomUUID } from 'node:crypto'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { serve } from '../mcp/serving.ts'
import { ask, DIST, folders, run } from '../program/process.ts'
import { claude, codex, gemini, homeOf, opencode } from './agents.ts'
import { CHAT } from './chat.ts'
import { asked, checkPush, type Desk, prepareDesk, sendMeanwhile, showReport } from './day.ts'
import { GENERATE } from './generate.ts'
import { MESSAGES } from './messages.ts'
import { type Heard, type Model, models, type Script } from './model.ts'
import { RESPONSES } from './responses.ts'

const folder = folders()
const model = models()

const PATH = `${DIST}:${process.env.PATH}`

async function installed(client: string): Promise<string> {
  const here = folder()
  await ask(['agent', 'register', client], { folder: here })
  const { code } = await run(['install', client], { folder: here, env: { PATH } })
  expect(code).toBe(0)
  sendMeanwhile(here, client, 'question', 'Which colour?')
  return here
}

/** Two messages: one that is waiting, and one that arrives during the turn. */
function turnWithMail(here: string, me: string, heard: string[]): Script {
  return function* (first) {
    heard.push(wordsOf(first))
    yield { tool: 'list_agents', args: {} }
    sendMeanwhile(here, me, 'question', 'And the door?')
    heard.push(wordsOf(yield { say: 'I am done' }))
    heard.push(wordsOf(yield { say: 'Now I am' }))
  }
}

const wordsOf = ({ text }: Heard) => text

type Receipt = { state: string; presented_by: string }
type Receipts = { messages: { body: string; receipts: Receipt[] }[] }

async function checkHeld(here: string, heard: string[]): Promise<void> {
  // There is no third prompt, because the program is held only once.
  expect(heard).toHaveLength(2)
  const [first = '', held = ''] = heard
  expect(first).toContain('1 unread')
  expect(first).toContain('"from":"user","subject":"Which colour?"')
  expect(first).not.toContain('And the door?')
  expect(held).toContain('"body":"And the door?"')
  const { messages } = await asked<Receipts>({ folder: here }, [
    'mail',
    'receipts',
    '--agent',
    'user',
  ])
  expect(
    messages.map(({ body, receipts: [one] }) => [body, one?.state, one?.presented_by]),
  ).toEqual([
    ['Which colour?', 'presented', 'hook'],
    ['And the door?', 'presented', 'hook'],
  ])
}

test('claude has the tools, and gets mail with the prompt and before it stops', async () => {
  const here = await installed('claude')
  const heard: string[] = []
  const scripted = model(MESSAGES)
  scripted.play(turnWithMail(here, 'claude', heard))
  const ran = await claude('Go', [], { folder: here, model: scripted })
  expect([ran.code, ran.said]).toEqual([0, 'Now I am'])
  await checkHeld(here, heard)
  // This can be after the first request, because the program doesn't wait for a server that is slow to start.
  expect(scripted.asked.join('\n')).toContain('You are claude here.')
  // The skills are offered by name.
  expect(scripted.asked[0]).toContain('- mailbox: Read, send and answer mail')
})

test('claude is held once by a long message, and shown its beginning', async () => {
  const here = await installed('claude')
  const heard: string[] = []
  const scripted = model(MESSAGES)
  scripted.play(function* (first) {
    heard.push(wordsOf(first))
    sendMeanwhile(here, 'claude', 'question', `Listen: ${'x'.repeat(20_000)}`)
    heard.push(wordsOf(yield { say: 'I am done' }))
    heard.push(wordsOf(yield { say: 'Now I am' }))
  })
  const ran = await claude('Go', [], { folder: here, model: scripted })
  expect([ran.code, ran.said, heard.length]).toEqual([0, 'Now I am', 2])
  expect(heard[1]).toContain('"body":"Listen: xxx')
  expect(heard[1]).toContain('the first 1000 of 20008 characters')
})

test('after uninstall, claude has no trace of it', async () => {
  const here = await installed('claude')
  expect((await run(['uninstall', 'claude'], { folder: here, env: { PATH } })).code).toBe(0)
  const scripted = model(MESSAGES)
  const ran = await claude('Go', [], { folder: here, model: scripted })
  expect([ran.code, scripted.asked.length]).toEqual([0, 1])
  for (const word of ['mcp__mailroom', 'You are claude here', 'Which colour?', '- mailbox:']) {
    expect(scripted.asked[0]).not.toContain(word)
  }
})

/** A person has to trust the folder and each hook. Without a terminal, a flag trusts the hooks. */
function trusted(here: string): string {
  const text = `[projects.${JSON.stringify(here)}]\ntrust_level = "trusted"\n`
  writeFileSync(join(homeOf(here), 'config.toml'), text)
  return here
}

test('codex in a trusted folder has the tools, and gets mail with the prompt and before it stops', async () => {
  const here = trusted(await installed('codex'))
  const heard: string[] = []
  const scripted = model(RESPONSES)
  scripted.play(turnWithMail(here, 'codex', heard))
  const around = { folder: here, model: scripted }
  const ran = await codex('Go', ['--dangerously-bypass-hook-trust'], around)
  expect([ran.code, ran.said]).toEqual([0, 'Now I am'])
  await checkHeld(here, heard)
})

test('codex with untrusted hooks has the tools, and reads its mail with them', async () => {
  const here = trusted(await installed('codex'))
  const scripted = model(RESPONSES)
  scripted.play(function* (first) {
    expect(first.text).not.toContain('Which colour?')
    const { answer } = yield { tool: 'read_messages', args: {} }
    expect(answer.messages).toMatchObject([{ body: 'Which colour?' }])
  })
  const ran = await codex('Go', [], { folder: here, model: scripted })
  expect([ran.code, ran.said]).toEqual([0, 'that is all'])
})

test('codex in an untrusted folder does not read its settings', async () => {
  const here = await installed('codex')
  const scripted = model(RESPONSES)
  const ran = await codex('Go', [], { folder: here, model: scripted })
  expect([ran.code, ran.said]).toEqual([0, 'nothing to do'])
  expect(scripted.asked[0]).not.toContain('mcp__mailroom')
})

test('gemini has the tools, and gets mail with the prompt and before it stops', async () => {
  const here = await installed('gemini')
  const settings = { security: { auth: { selectedType: 'gemini-api-key' } } }
  mkdirSync(join(homeOf(here), '.gemini'))
  writeFileSync(join(homeOf(here), '.gemini/settings.json'), JSON.stringify(settings))
  const heard: string[] = []
  const scripted = model(GENERATE)
  scripted.play(turnWithMail(here, 'gemini', heard))
  const ran = await gemini('Go', { folder: here, model: scripted })
  expect(ran.code).toBe(0)
  await checkHeld(here, heard)
  expect(heard[0]).toContain('You are gemini here.')
})

test('opencode has the tools, gets mail with the prompt, and takes another turn for new mail', async () => {
  const here = await installed('opencode')
  const heard: string[] = []
  const scripted = model(CHAT)
  scripted.play(turnWithMail(here, 'opencode', heard))
  const around = { folder: here, model: scripted }
  await opencode('Go', around, () => heard.length === 2)
  await checkHeld(here, heard)
  expect(scripted.asked[0]).toContain('You are opencode here.')
})

/** For clients whose hooks name the session, though their tools don't. */
async function pushing(client: string, scripted: Model): Promise<Desk> {
  const desk = await prepareDesk(await installed(client), client)
  scripted.play(showReport)
  return desk
}

test("gemini's hooks name the session of its push", async () => {
  const scripted = model(GENERATE)
  const desk = await pushing('gemini', scripted)
  const settings = { security: { auth: { selectedType: 'gemini-api-key' } } }
  mkdirSync(join(homeOf(desk.folder), '.gemini'))
  writeFileSync(join(homeOf(desk.folder), '.gemini/settings.json'), JSON.stringify(settings))
  const ran = await gemini('Go', { folder: desk.folder, model: scripted })
  expect(ran.code).toBe(0)
  const session = String(ran.events.find(({ type }) => type === 'init')?.session_id)
  await checkPush(desk, { backend: 'gemini', session })
})

test("opencode's plugin names the session of its push", async () => {
  const scripted = model(CHAT)
  const desk = await pushing('opencode', scripted)
  const around = { folder: desk.folder, model: scripted }
  const { session } = await opencode('Go', around, () => scripted.asked.length >= 2)
  await checkPush(desk, { backend: 'opencode', session })
})

test("claude's hooks name the session of its push through its workspace's address", async () => {
  const scripted = model(MESSAGES)
  const here = folder()
  const server = await serve(here, [])
  try {
    const desk = await prepareDesk(here, 'painter')
    const url = `${server.url}/mcp/${desk.workspaceId}`
    const words = ['install', 'claude', '--as', 'painter', '--url', url]
    expect((await run(words, { folder: here, env: { PATH } })).code).toBe(0)
    scripted.play(showReport)
    const session = randomUUID()
    const ran = await claude('Go', ['--session-id', session], { folder: here, model: scripted })
    expect(ran.code).toBe(0)
    await checkPush(desk, { backend: 'claude', session })
  } finally {
    await server.stop()
  }
})
