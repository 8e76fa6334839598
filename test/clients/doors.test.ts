// Real programs at our doors: claude over HTTP with a token, and codex with `inbox mcp` as its child process.

import { afterAll, expect, test } from 'bun:test'
import { randomUUID } from 'node:crypto'
import { type Serving, serve } from '../mcp/serving.ts'
import { folders } from '../program/process.ts'
import { claude, codex } from './agents.ts'
import {
  asked,
  checkDay,
  checkPush,
  type FullDesk,
  prepareFullDesk,
  wholeDay,
  withoutPush,
} from './day.ts'
import { MESSAGES } from './messages.ts'
import { models } from './model.ts'
import { RESPONSES } from './responses.ts'

const folder = folders()
const model = models()
const servers: Serving[] = []
afterAll(() => Promise.all(servers.map((server) => server.stop())))

async function deskOf(agent: string): Promise<FullDesk> {
  return prepareFullDesk(folder(), agent)
}

async function served({ folder }: FullDesk): Promise<Serving> {
  const server = await serve(folder, ['--auth', 'tokens'])
  servers.push(server)
  return server
}

async function tokenFor({ folder, agent }: FullDesk, ...more: string[]): Promise<string> {
  const words = ['token', 'issue', agent, ...more]
  return (await asked<{ token: string }>({ folder }, words)).token
}

function claudeEntry(url: string): string[] {
  const headers = {
    Authorization: `Bearer \${MAILROOM_TOKEN}`,
    'X-Inbox-Session': `\${INBOX_SESSION:-}`,
  }
  const entry = { mcpServers: { mailroom: { type: 'http', url, headers } } }
  return ['--strict-mcp-config', '--mcp-config', JSON.stringify(entry)]
}

test("claude with a token at its workspace's address can push, use mail and work", async () => {
  const desk = await deskOf('painter')
  const server = await served(desk)
  const env = {
    MAILROOM_TOKEN: await tokenFor(desk, '--workspace', desk.workspaceId),
    INBOX_SESSION: randomUUID(),
  }
  const words = claudeEntry(`${server.url}/mcp/${desk.workspaceId}`)
  const scripted = model(MESSAGES)
  scripted.play(wholeDay(desk))
  const session = ['--session-id', env.INBOX_SESSION]
  const ran = await claude('Go', [...words, ...session], {
    folder: desk.folder,
    model: scripted,
    env,
  })
  expect([ran.code, ran.said]).toEqual([0, 'that is all'])
  await checkDay(desk)
  await checkPush(desk, { backend: 'claude', session: env.INBOX_SESSION })
})

test('claude with a token at /mcp can use mail and work, but not push', async () => {
  const desk = await deskOf('painter')
  const server = await served(desk)
  const env = { MAILROOM_TOKEN: await tokenFor(desk) }
  const scripted = model(MESSAGES)
  scripted.play(withoutPush(desk))
  const around = { folder: desk.folder, model: scripted, env }
  const ran = await claude('Go', claudeEntry(`${server.url}/mcp`), around)
  expect([ran.code, ran.said]).toEqual([0, 'that is all'])
  expect(scripted.asked[0]).toContain('mcp__mailroom__thread_claim')
  expect(scripted.asked[0]).toContain('You are painter here.')
  expect(scripted.asked[0]).not.toContain('mcp__mailroom__inbox_push')
  await checkDay(desk)
})

test('claude with an invalid token can do nothing', async () => {
  const desk = await deskOf('painter')
  const server = await served(desk)
  const env = { MAILROOM_TOKEN: `${(await tokenFor(desk)).slice(0, -1)}_` }
  const scripted = model(MESSAGES)
  const around = { folder: desk.folder, model: scripted, env }
  const ran = await claude('Go', claudeEntry(`${server.url}/mcp`), around)
  expect(ran.events[0]).toMatchObject({ mcp_servers: [{ name: 'mailroom' }] })
  expect(ran.events[0]).not.toMatchObject({ mcp_servers: [{ status: 'connected' }] })
  expect(scripted.asked.join()).not.toContain('mcp__mailroom__read_messages')
})

test('codex, which starts `inbox mcp`, can push, use mail and work', async () => {
  const desk = await deskOf('painter')
  const entry = 'mcp_servers.mailroom={command="inbox",args=["mcp","--agent","painter"]}'
  const scripted = model(RESPONSES)
  scripted.play(wholeDay(desk))
  const around = { folder: desk.folder, model: scripted }
  const ran = await codex('Go', ['-c', entry], around)
  expect([ran.code, ran.said]).toEqual([0, 'that is all'])
  await checkDay(desk)
  const session = String(ran.events.find(({ type }) => type === 'thread.started')?.thread_id)
  await checkPush(desk, { backend: 'codex', session })
})

test("codex with a token at its workspace's address can push, use mail and work", async () => {
  const desk = await deskOf('painter')
  const server = await served(desk)
  const env = { MAILROOM_TOKEN: await tokenFor(desk, '--workspace', desk.workspaceId) }
  const url = `${server.url}/mcp/${desk.workspaceId}`
  const entry = `mcp_servers.mailroom={url="${url}",bearer_token_env_var="MAILROOM_TOKEN"}`
  const scripted = model(RESPONSES)
  scripted.play(wholeDay(desk))
  const ran = await codex('Go', ['-c', entry], { folder: desk.folder, model: scripted, env })
  expect([ran.code, ran.said]).toEqual([0, 'that is all'])
  await checkDay(desk)
  const session = String(ran.events.find(({ type }) => type === 'thread.started')?.thread_id)
  await checkPush(desk, { backend: 'codex', session })
})
