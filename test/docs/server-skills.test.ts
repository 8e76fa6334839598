// Makes every call in the skills that install writes for a server, as an agent would.

import { afterAll, beforeAll, expect, test } from 'bun:test'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { USUAL_SETS } from '../../src/core/principal.ts'
import { type Serving, serve } from '../mcp/serving.ts'
import { type Visitor, visit } from '../mcp/visitors.ts'
import { ask, folders } from '../program/process.ts'
import { until } from '../worlds/world.ts'
import { blocks, read } from './documents.ts'
import { expectBrief } from './skill.ts'

const folder = folders()
const here = folder()
let server: Serving
let workspace = ''
beforeAll(async () => {
  server = await serve(here)
  writeFileSync(join(here, 'report.md'), '# Rates\n')
  type Added = { workspace: { workspace_id: string } }
  const added = (await ask(['workspace', 'add', '.'], { folder: here })) as unknown as Added
  workspace = added.workspace.workspace_id
})
afterAll(async () => {
  await server.stop()
})

const come = (agent: string): Promise<Visitor> =>
  visit('v2 modern', {
    kind: 'http',
    url: `${server.url}/mcp/${workspace}?agent=${agent}&sets=${USUAL_SETS.join(',')}`,
    agent,
  })

type Data = Record<string, unknown> & {
  entry_id: string
  next_event_id: number
  woke: boolean
  thread: { thread_id: string; status: string }
  threads: { thread_id: string }[]
  lease: { lease_token: string }
  message: { message_id: string; id: string }
  messages: { id: string; body: string }[]
  entries: object[]
}

type Asked = { request_id: string }
type Requests = { requests: Asked[] }

/** Values from earlier answers, for the placeholders. */
type Given = Record<string, string | number>

function openSkill(name: string) {
  const text = read(`skills-server/${name}/SKILL.md`)
  const unused = blocks(text, 'tools').join('').trim().split('\n')
  /** Makes the skill's next call to that tool. Each call is made only once. */
  async function play(visitor: Visitor, tool: string, given: Given = {}): Promise<Data> {
    const at = unused.findIndex((line) => line.startsWith(`${tool} `))
    const [line = ''] = at < 0 ? [] : unused.splice(at, 1)
    const words = line.slice(tool.length).replace(/\b[A-Z]{5,}\b/g, (word) => String(given[word]))
    const { structuredContent, isError } = await visitor.call(tool, JSON.parse(words))
    expect([line, isError ?? false, structuredContent]).toMatchObject([line, false, {}])
    return structuredContent as Data
  }
  return { text, unused, play }
}

test('a push is shown, answered and looked up', async () => {
  const { unused, play } = openSkill('inbox-push')
  const analyst = await come('analyst')
  await play(analyst, 'inbox_push')
  const { entry_id: ENTRY } = await play(analyst, 'inbox_push')
  await ask(['push', 'reply', ENTRY, '--comments', 'Ten'], { folder: here })
  const { messages } = await play(analyst, 'read_messages')
  expect(messages).toMatchObject([{ body: 'Ten' }])
  await play(analyst, 'send_message', { MESSAGE: messages[0]?.id ?? '' })
  const shown = await play(analyst, 'inbox_show', { ENTRY })
  expect(shown.replies).toMatchObject([{ body: 'Ten' }, { from: 'agent:analyst' }])
  const { entries } = await play(analyst, 'inbox_read')
  expect(entries).toMatchObject([{ docs: [] }, { docs: [{ path: 'report.md' }] }])
  expect(unused).toEqual([])
  await analyst.close()
})

test('mail is read, sent, answered and followed up', async () => {
  const { unused, play } = openSkill('mailbox')
  await ask(['agent', 'register', 'boss', '--role', 'orchestrator'], { folder: here })
  const [builder, boss] = [await come('builder'), await come('boss')]
  await play(builder, 'register_agent')
  await ask(['mail', 'send', '--from=boss', '--to=builder', '--body=Hello'], { folder: here })
  const { messages } = await play(builder, 'read_messages')
  await play(builder, 'mark_read', { MESSAGE: messages[0]?.id ?? '' })
  const { message: question } = await play(builder, 'send_message')
  await ask(['mail', 'send', '--from=boss', '--to=builder', '--body=Wait'], { folder: here })
  await play(builder, 'read_messages')
  await play(builder, 'send_message')
  await play(boss, 'list_agents')
  await play(boss, 'send_message')
  const { message: answer } = await play(boss, 'send_message', { MESSAGE: question.id })
  await play(boss, 'message_receipts', { MESSAGE: answer.id })
  const history = await play(boss, 'message_history')
  expect(history.messages.length).toBeGreaterThan(0)
  await play(builder, 'register_agent')
  expect(unused).toEqual([])
  await Promise.all([builder.close(), boss.close()])
})

test('work is sent, claimed, asked about, answered and done, and other work fails or is canceled', async () => {
  const { unused, play } = openSkill('inbox')
  const [lead, backend] = [await come('lead'), await come('backend')]
  const idle = (await backend.call('thread_claim', {})).structuredContent as Data
  const sent = await play(lead, 'thread_send')
  const woken = await play(backend, 'thread_watch', { EVENT: idle.next_event_id })
  expect(woken).toMatchObject({ woke: true, threads: [{ thread_id: sent.thread.thread_id }] })
  const { threads } = await play(backend, 'thread_fetch')
  expect(threads).toMatchObject([{ thread_id: sent.thread.thread_id }])
  const claimed = await play(backend, 'thread_claim')
  const own = { THREAD: claimed.thread.thread_id, TOKEN: claimed.lease.lease_token }
  await play(backend, 'thread_update', own)
  const { next_event_id: EVENT } = await play(backend, 'thread_update', own)
  await play(lead, 'thread_watch', { EVENT: sent.next_event_id })
  await play(lead, 'thread_show', own)
  await play(lead, 'thread_reply', own)
  expect((await play(backend, 'thread_wait_reply', { ...own, EVENT })).woke).toBe(true)
  await play(backend, 'thread_renew', own)
  expect((await play(backend, 'thread_done', own)).thread.status).toBe('done')
  const more = async () => {
    const { structuredContent } = await lead.call('thread_send', { to: 'backend', subject: 'More' })
    return (structuredContent as Data).thread.thread_id
  }
  const THREAD = await more()
  const { structuredContent } = await backend.call('thread_claim', { thread: THREAD })
  const TOKEN = (structuredContent as Data).lease.lease_token
  expect((await play(backend, 'thread_fail', { THREAD, TOKEN })).thread.status).toBe('failed')
  await play(lead, 'thread_cancel', { THREAD: await more() })
  expect(unused).toEqual([])
  await Promise.all([lead.close(), backend.close()])
})

test('a request is made, revised and decided, a question is answered, and another request is canceled', async () => {
  const { unused, play } = openSkill('inbox-request')
  const builder = await come('builder')
  const { request_id: REQUEST } = (await play(builder, 'request_approval')) as never as Asked
  const person = (...words: string[]) => ask(words, { folder: here })
  const waiting = play(builder, 'wait_request', { REQUEST })
  await person('request-revision', REQUEST, '--revision', '1', '--notes', 'Less')
  expect(await waiting).toMatchObject({ woke: true, decision: { notes: 'Less' } })
  await play(builder, 'request_resubmit', { REQUEST })
  await play(builder, 'request_comment', { REQUEST })
  await person('approve', REQUEST, '--revision', '2')
  expect(await play(builder, 'wait_request', { REQUEST })).toMatchObject({
    woke: true,
    decision: { status: 'approved', payload: { proposed: { limit: 2 } } },
  })
  expect((await play(builder, 'request_status', { REQUEST })).revisions).toHaveLength(2)
  const asking = play(builder, 'ask_user')
  const question = await until(async () => {
    const list = (await person('request', 'list', '--type', 'question')) as never as Requests
    return list.requests[0]?.request_id
  }, 'the question is asked')
  await person('approve', question, '--revision', '1', '--answer', 'cookie')
  expect(await asking).toMatchObject({ woke: true, decision: { answer: 'cookie' } })
  const more = { type: 'chore', title: 'Raise it again' }
  const { structuredContent } = await builder.call('request_approval', more)
  await play(builder, 'request_cancel', {
    REQUEST: (structuredContent as never as Asked).request_id,
  })
  expect(unused).toEqual([])
  await builder.close()
})

test.each(['inbox', 'inbox-push', 'inbox-request', 'mailbox'])(
  'the skill %s is brief and names tools',
  (name) => {
    const { text } = openSkill(name)
    expectBrief(text, name)
    expect(text).not.toMatch(/inbox (mail|push|claim|send)\b/)
  },
)
