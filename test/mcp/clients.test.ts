// The SDK's clients, versions 1 and 2, in both protocol versions, over every transport: a whole working day.

import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { ask, folders } from '../program/process.ts'
import { until } from '../worlds/world.ts'
import { type Serving, serve } from './serving.ts'
import {
  CLIENTS,
  type ClientKind,
  type ToolAnswer,
  type Visitor,
  visit,
  type Way,
} from './visitors.ts'

const here = folders()()
let server: Serving

beforeAll(async () => {
  server = await serve(here)
})
afterAll(async () => {
  await server.stop()
})

const WAYS = ['stdio', 'http', 'socket'] as const

function way(kind: (typeof WAYS)[number], agent: string): Way {
  if (kind === 'stdio') return { kind, folder: here, agent }
  if (kind === 'http') return { kind, url: `${server.url}/mcp`, agent }
  return { kind: 'http', url: 'http://localhost/mcp', agent, socket: server.socket }
}

function data<T = Record<string, never>>({ content, structuredContent, isError }: ToolAnswer): T {
  expect(isError ?? false).toBe(false)
  // Models and programs read the same content, and a model that sees only one form still gets our note.
  const texts = content.map(({ text }) => text)
  const { note = '', ...result } = structuredContent ?? {}
  expect(JSON.parse(texts.at(-1) ?? '')).toEqual(result)
  expect(texts.slice(0, -1).join(' ')).toBe(String(note))
  if (note !== '') expect(JSON.stringify(structuredContent)).toStartWith('{"note":')
  return structuredContent as T
}

let made = 0
const unique = (name: string) => `${name}${++made}`

describe.each(WAYS.flatMap((by) => CLIENTS.map((client): [string, ClientKind] => [by, client])))(
  'over %s, client %s',
  (by, client) => {
    async function coming(agent: string): Promise<Visitor> {
      return visit(client, way(by as (typeof WAYS)[number], agent))
    }

    test('has instructions that name its agent, and speaks its era', async () => {
      const name = unique('reader')
      const visitor = await coming(name)
      expect(visitor.instructions()).toStartWith(`You are ${name} here.`)
      if (client !== 'v1') {
        expect(visitor.protocol()).toBe(client === 'v2 modern' ? '2026-07-28' : '2025-11-25')
      }
      const names = (await visitor.tools()).map(({ name }) => name)
      // A server offers pushes only at the address of a workspace.
      const pushes = by === 'stdio' ? ['inbox_push', 'inbox_read', 'inbox_show'] : []
      const mail = ['read_messages', 'send_message', 'mark_read']
      expect(names.slice(0, pushes.length + mail.length)).toEqual([...pushes, ...mail])
      expect(names.at(-1)).toBe('request_review')
      await visitor.close()
    })

    test('sends, reads, and marks mail, and what was shown counts as presented by mcp', async () => {
      const [from, to] = [unique('sender'), unique('reader')]
      const [sender, reader] = await Promise.all([coming(from), coming(to)])
      data(await reader.call('read_messages'))
      const question = { type: 'question', to, subject: 'Which?', body: 'This or that?' }
      const sent = data<{ message: { id: string } }>(await sender.call('send_message', question))
      const { id } = sent.message
      const answer = await reader.call('read_messages')
      expect(answer.content[0]?.text).toContain('is data')
      const { messages, unread } = data<{ messages: object[]; unread: number }>(answer)
      expect(messages).toMatchObject([
        { id, from: `agent:${from}`, ...question, to: `agent:${to}` },
      ])
      expect(unread).toBe(1)
      const reply = {
        type: 'answer',
        inReplyTo: id,
        body: 'That.',
        wait: 'presented',
        timeoutSeconds: 20,
      }
      const answered = reader.call('send_message', reply)
      const news = data<{ messages: object[] }>(
        await sender.call('read_messages', { timeoutSeconds: 20 }),
      )
      expect(news.messages).toMatchObject([{ from: `agent:${to}`, inReplyTo: id, body: 'That.' }])
      // The recipient has been shown the answer, and the sender finds that out.
      expect(data<{ reached: boolean }>(await answered).reached).toBe(true)
      const receipts = data<{ messages: { receipts: object[] }[] }>(
        await sender.call('message_receipts', { messageId: id }),
      )
      expect(receipts.messages[0]?.receipts).toMatchObject([
        { recipient: to, state: 'acted', presentedBy: 'mcp' },
      ])
      const marked = data(await sender.call('mark_read', { all: true }))
      expect(marked).toMatchObject({ marked: 1, unread: 0 })
      await Promise.all([sender.close(), reader.close()])
    })

    test('sends work, claims it, blocks, waits for the answer, and finishes', async () => {
      const [lead, worker] = [unique('lead'), unique('worker')]
      const [boss, hand] = await Promise.all([coming(lead), coming(worker)])
      type Thread = { thread: { thread_id: string; status: string } }
      const sent = data<Thread>(
        await boss.call('thread_send', { to: worker, subject: 'Paint', artifacts: ['wall.png'] }),
      )
      const thread = sent.thread.thread_id
      type Claim = Thread & { lease: { lease_token: string }; message: { artifacts: object[] } }
      const claim = data<Claim>(await hand.call('thread_claim'))
      expect(claim.thread.thread_id).toBe(thread)
      expect(claim.message.artifacts).toMatchObject([{ path: 'wall.png' }])
      const lease_token = claim.lease.lease_token
      const blocked = { thread, lease_token, status: 'blocked', summary: 'Which colour?' }
      data(await hand.call('thread_update', blocked))
      const waiting = hand.call('thread_wait_reply', { thread, lease_token })
      data(await boss.call('thread_reply', { thread, summary: 'Blue' }))
      const reply = data<{ woke: boolean; message: { summary: string } }>(await waiting)
      expect(reply).toMatchObject({ woke: true, message: { summary: 'Blue' } })
      const done = { thread, lease_token, summary: 'Painted', payload_json: { coats: 2 } }
      expect(data<Thread>(await hand.call('thread_done', done)).thread.status).toBe('done')
      const shown = data<{ messages: object[] }>(await boss.call('thread_show', { thread }))
      expect(shown.messages.at(-1)).toMatchObject({ kind: 'result', payload_json: { coats: 2 } })
      await Promise.all([boss.close(), hand.close()])
    })

    test('returns refusals as answers with a code, MCP names, and a remedy', async () => {
      const visitor = await coming(unique('wrong'))
      const unknown = await visitor.call('send_message', {
        type: 'cancel',
        to: 'nobody-here',
        body: 'x',
      })
      expect(unknown.isError).toBe(true)
      expect(unknown.structuredContent).toMatchObject({ error: { code: 'not_found', retry: 'no' } })
      expect(unknown.content.at(-1)?.text).toContain('list_agents')
      const neither = await visitor.call('mark_read', {})
      expect(neither.structuredContent).toMatchObject({ error: { code: 'invalid_input' } })
      expect(neither.content.at(-1)?.text).not.toContain('--')
      const extra = await visitor.call('read_messages', { agent: 'somebody-else' })
      expect(extra.isError).toBe(true)
      expect(extra.content.at(-1)?.text).toContain('takes no')
      await expect(visitor.call('no_such_tool')).rejects.toThrow('no_such_tool')
      await visitor.close()
    })

    test('reads STOP first in every answer after it is told to stop', async () => {
      const worker = unique('worker')
      const hand = await coming(worker)
      data(await hand.call('read_messages'))
      const id = await sentFromShell('user', worker, '--type', 'cancel', '--subject', 'Leave it')
      const answer = await hand.call('thread_fetch')
      expect(answer.content[0]?.text).toStartWith('STOP.')
      expect(data(answer)).toMatchObject({ stop: { id, subject: 'Leave it' } })
      const refused = await hand.call('thread_done', { thread: 'thr_none', summary: 'x' })
      expect([refused.isError, refused.content[0]?.text.slice(0, 5)]).toEqual([true, 'STOP.'])
      expect(String(refused.structuredContent?.note)).toStartWith('STOP.')
      data(await hand.call('mark_read', { messageIds: [id] }))
      expect((await hand.call('thread_fetch')).content[0]?.text).not.toContain('STOP')
      await hand.close()
    })

    test('a canceled wait ends at once and presents nothing, and the next call gets the mail', async () => {
      const [from, to] = [unique('sender'), unique('reader')]
      const reader = await coming(to)
      data(await reader.call('read_messages'))
      const before = await answered()
      const leaving = new AbortController()
      const waiting = reader.call('read_messages', { timeoutSeconds: 45 }, leaving.signal)
      leaving.abort()
      await expect(waiting).rejects.toThrow()
      // Version 1 leaves the call's connection open and cancels with a second request. Mail that arrives before the
      // cancel would still be sent to the client.
      if (by !== 'stdio' && client === 'v1')
        await until(async () => (await answered()) >= before + 2, 'the call and its cancel')
      const id = await sentFromShell(from, to)
      const news = data<{ messages: { id: string; state: string }[] }>(
        await reader.call('read_messages', { timeoutSeconds: 20 }),
      )
      expect(news.messages.map(({ id, state }) => [id, state])).toEqual([[id, 'queued']])
      await reader.close()
    })
  },
)

/** How many MCP requests over HTTP the server has answered. */
async function answered(): Promise<number> {
  const lines = (await (await fetch(`${server.url}/metrics`)).text()).split('\n')
  const counts = lines.filter((line) => /^inbox_http_requests_total.*"\/mcp"/.test(line))
  return counts.reduce((sum, line) => sum + Number(line.split(' ').at(-1)), 0)
}

/** Sends mail from the shell, in another process. */
async function sentFromShell(from: string, to: string, ...more: string[]): Promise<string> {
  const args = ['mail', 'send', '--from', from, '--to', to, '--body', 'From the shell', ...more]
  const answer: unknown = await ask(args, { folder: here })
  return (answer as { message: { id: string } }).message.id
}
