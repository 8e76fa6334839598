// A person answers a push. The server's broker starts the program that pushed, in the session it pushed from, and the
// agent continues there.

import { expect, test } from 'bun:test'
import { join } from 'node:path'
import { ask, folders } from '../program/process.ts'
import { servers } from '../server/serving.ts'
import { until } from '../worlds/world.ts'
import {
  CLAUDE_WORDS,
  claude,
  claudeEnv,
  codex,
  codexEnv,
  codexWords,
  type Running,
} from './agents.ts'
import { asked, checkPush, type Desk, prepareDesk, showReport } from './day.ts'
import { MESSAGES } from './messages.ts'
import { type Model, models, type Script } from './model.ts'
import { RESPONSES } from './responses.ts'

const folder = folders()
const model = models()
const { start } = servers()

/** Long enough to start a 300 MB program on a busy machine. */
const PATIENCE_MS = 60_000

type Resume = { argv: string[]; folder: string }
type Replied = { message_id: string; wakes: boolean; why: string }
type Wakes = { wakes: { state: string; reason: string; stderr: string }[] }
type Receipts = { messages: { id: string; receipts: { state: string }[] }[] }

/** The woken agent sees the answer and replies to it. */
function goOn(heard: string[], messageId: () => string): Script {
  return function* (first) {
    heard.push(first.text)
    const args = { type: 'question', inReplyTo: messageId(), body: 'Shall I send it?' }
    const { answer } = yield { tool: 'send_message', args }
    expect(answer.error).toBeUndefined()
    yield { tool: 'mark_read', args: { all: true } }
    yield { say: 'I have asked' }
  }
}

async function answerAndWake(
  desk: Desk,
  { entry, command, scripted, env }: Answering,
): Promise<string> {
  // The server's own user sets the command, because one set by anyone else is held until it's allowed.
  const here = { folder: desk.folder, env: { HOME: env.HOME ?? '' } }
  await ask(
    [
      'agent',
      'register',
      desk.agent,
      '--wake-command',
      JSON.stringify(command),
      // The agent has just made a call, so it has to be declared dormant.
      '--wake-cwd',
      desk.folder,
      '--status',
      'dormant',
    ],
    here,
  )
  const server = await start({ db: [join(desk.folder, '.agents/coord.db')], env })
  const heard: string[] = []
  let messageId = ''
  scripted.play(goOn(heard, () => messageId))
  const words = ['push', 'reply', entry, '--comments', 'It is. Well done']
  const replied = await asked<Replied>(here, words)
  messageId = replied.message_id
  expect(replied).toMatchObject({ wakes: true })
  const ended = await until(
    async () => {
      const { wakes } = await asked<Wakes>(here, ['wake', 'log']).catch(() => ({ wakes: [] }))
      return wakes.find(({ state }) => ['ended', 'failed', 'lost'].includes(state)) ?? false
    },
    'the end of the wake',
    PATIENCE_MS,
  )
  scripted.check()
  expect(ended).toMatchObject({ state: 'ended', reason: '' })
  await server.stop()
  const { messages } = await asked<Receipts>(here, ['mail', 'receipts', '--agent', 'user'])
  expect(messages.find(({ id }) => id === messageId)?.receipts).toMatchObject([
    { recipient: desk.agent, state: 'acted' },
  ])
  const shown = await asked<{ replies: { from: string; body: string }[] }>(here, [
    'push',
    'show',
    entry,
  ])
  expect(shown.replies.map(({ from, body }) => [from, body])).toEqual([
    ['user', 'It is. Well done'],
    [`agent:${desk.agent}`, 'Shall I send it?'],
  ])
  return heard.join('\n')
}

type Answering = {
  entry: string
  command: string[]
  scripted: Model
  env: Record<string, string>
}

const pushOnly: Script = () => showReport()

test('claude is woken in its session by the answer to its push', async () => {
  const desk = await prepareDesk(folder(), 'claude')
  await ask(['install', 'claude'], { folder: desk.folder })
  const scripted = model(MESSAGES)
  const around: Running = { folder: desk.folder, model: scripted }
  scripted.play(pushOnly)
  const ran = await claude('Show what you have', [], around)
  const session = String(ran.events[0]?.session_id)
  const entry = await checkPush(desk, { backend: 'claude', session })
  const { argv } = await asked<Resume>(around, ['push', 'resume', entry])
  expect(argv).toEqual(['claude', '--resume', session])
  const before = scripted.asked.length
  const heard = await answerAndWake(desk, {
    entry,
    scripted,
    env: claudeEnv(around),
    command: [...argv, ...CLAUDE_WORDS],
  })
  expect(heard).toContain('It is. Well done')
  // The earlier conversation is part of the prompt.
  expect(scripted.asked[before]).toContain('Show what you have')
  expect(scripted.asked[before]).toContain('Is the long end right?')
})

test('codex is woken in its session by the answer to its push', async () => {
  const desk = await prepareDesk(folder(), 'codex')
  const scripted = model(RESPONSES)
  const around: Running = { folder: desk.folder, model: scripted }
  const entryWords = ['-c', 'mcp_servers.mailroom={command="inbox",args=["mcp","--agent","codex"]}']
  scripted.play(pushOnly)
  const ran = await codex('Show what you have', entryWords, around)
  const session = String(ran.events.find(({ type }) => type === 'thread.started')?.thread_id)
  const entry = await checkPush(desk, { backend: 'codex', session })
  const { argv } = await asked<Resume>(around, ['push', 'resume', entry])
  expect(argv).toEqual(['codex', 'resume', session])
  const before = scripted.asked.length
  const heard = await answerAndWake(desk, {
    entry,
    scripted,
    env: codexEnv(around),
    // Without a terminal, the command is `codex exec resume`, which takes its prompt from stdin.
    command: ['codex', 'exec', ...codexWords(around), ...entryWords, 'resume', session, '-'],
  })
  expect(heard).toContain('It is. Well done')
  expect(scripted.asked[before]).toContain('Show what you have')
  expect(scripted.asked[before]).toContain('Is the long end right?')
})
