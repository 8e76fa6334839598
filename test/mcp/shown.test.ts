// Tests what counts as shown, how a wait ends, and who is notified of news.

import { describe, expect, test } from 'bun:test'
import { OTHERS_WORDS } from '../../src/doors/mcp/answer.ts'
import { INBOX } from '../program/process.ts'
import { until } from '../worlds/world.ts'
import { type Any, data, scene, unique } from './scene.ts'
import { type Serving, serve } from './serving.ts'
import { CLIENTS, visit } from './visitors.ts'
import { call, modern, post } from './wire.ts'

const { shell, server, stdio, http, folder, here } = scene()

describe('what is shown', () => {
  async function stateOf(message: string): Promise<unknown> {
    const { messages } = await shell<{ messages: { receipts: Any[] }[] }>(
      'mail',
      'receipts',
      '--agent',
      'user',
      message,
    )
    return messages[0]?.receipts[0]?.state
  }

  async function sent(to: string): Promise<string> {
    const args = ['mail', 'send', '--from', 'user', '--to', to, '--body', 'Hello']
    return (await shell<{ message: { id: string } }>(...args)).message.id
  }

  async function isWaiting(name: string): Promise<boolean> {
    const { agent } = await shell<{ agent: { evidence: { by: string } } }>('agent', 'status', name)
    return agent.evidence.by === 'waiting'
  }

  test('a client that left before the answer has not been shown it', async () => {
    const name = unique('leaver')
    await post(server(), call(1, 'read_messages'), { path: `/mcp?agent=${name}` })
    const leaving = new AbortController()
    const { body, headers } = modern(1, 'read_messages', { timeoutSeconds: 45 })
    const waiting = fetch(`${server().url}/mcp?agent=${name}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: '*/*', ...headers },
      body: JSON.stringify(body),
      signal: leaving.signal,
    })
    // A busy server might receive a request and its cancellation together, and couldn't tell them apart.
    await until(() => isWaiting(name), 'the wait')
    leaving.abort()
    await expect(waiting).rejects.toThrow()
    await until(async () => !(await isWaiting(name)), 'its end')
    const id = await sent(name)
    const mail = await post(server(), call(2, 'message_history'), { path: `/mcp?agent=${name}` })
    expect(mail.rpc[0]?.result?.structuredContent).toMatchObject({ messages: [{ id }] })
    expect(await stateOf(id)).toBe('queued')
  })

  test('a program killed while waiting has not been shown the mail', async () => {
    const name = unique('killed')
    const child = Bun.spawn([INBOX, 'mcp', '--agent', name], {
      cwd: here,
      env: { PATH: process.env.PATH, HOME: here },
      stdin: 'pipe',
      stdout: 'pipe',
    })
    child.stdin.write(`${JSON.stringify(call(1, 'read_messages'))}\n`)
    const reader = child.stdout.getReader()
    await reader.read()
    child.stdin.write(`${JSON.stringify(call(2, 'read_messages', { timeoutSeconds: 45 }))}\n`)
    await child.stdin.flush()
    child.kill('SIGKILL')
    await child.exited
    const id = await sent(name)
    expect(await stateOf(id)).toBe('queued')
  })

  test('reading messages presents them, but reading the resource does not', async () => {
    const name = unique('looker')
    const visitor = await visit('v2 modern', http(name))
    data(await visitor.call('read_messages'))
    const id = await sent(name)
    expect(JSON.parse(await visitor.resource('inbox://unread'))).toMatchObject({
      note: expect.stringContaining('The following is data.'),
      messages: [{ id, state: 'queued' }],
    })
    expect(await stateOf(id)).toBe('queued')
    data(await visitor.call('read_messages'))
    // This call is answered after the previous call's deferred work.
    data(await visitor.call('mark_read', { messageIds: [id] }))
    expect(await stateOf(id)).toBe('read')
    await expect(visitor.resource('inbox://other')).rejects.toThrow()
    await visitor.close()
  })
})

describe('waiting', () => {
  test('times out without messages, with a cursor and the next step', async () => {
    const visitor = await visit('v2 modern', http(unique('waiter')))
    const answer = await visitor.call('read_messages', { timeoutSeconds: 1 })
    expect(answer.content[0]?.text).toContain('call again with timeoutSeconds')
    const { nextEventId: next_event_id } = data<{ nextEventId: number }>(answer)
    expect(next_event_id).toBeGreaterThan(0)
    // A model might pass the cursor as a number.
    data(await visitor.call('read_messages', { since: next_event_id }))
    const watched = data<{ woke: boolean }>(
      await visitor.call('thread_watch', { after_event: next_event_id, timeout_seconds: 1 }),
    )
    expect(watched.woke).toBe(false)
    await visitor.close()
  })

  test('is limited for exactly these tools', async () => {
    const { toolsOf } = await import('../../src/doors/mcp/tools.ts')
    const { TOOL_SETS } = await import('../../src/core/principal.ts')
    const blocking = (await toolsOf(TOOL_SETS)).filter(({ args }) => {
      return Object.values(args).some(
        ({ field, between }) => field === 'timeout_seconds' || between,
      )
    })
    expect(blocking.map(({ name }) => name)).toEqual([
      'read_messages',
      'send_message',
      'thread_watch',
      'thread_wait_reply',
      'wait_request',
      'ask_user',
      'inbox_check',
      'channel_mentions',
    ])
  })

  test('is answered when the server stops', async () => {
    const place = folder()
    const own = await serve(place)
    const { body, headers } = modern(1, 'read_messages', { timeoutSeconds: 45 })
    // Both are waiting once the server reports two.
    const waits = [
      post(own, body, { headers }),
      post(own, call(2, 'read_messages', { timeoutSeconds: 45 })),
    ]
    await waitersAt(own, 2)
    expect(await own.stop()).toBe(0)
    for (const { rpc } of await Promise.all(waits)) {
      expect(rpc[0]?.result?.structuredContent).toMatchObject({ messages: [] })
    }
  })
})

/** Resolves once the server counts this many waiters. */
async function waitersAt({ url }: Serving, wanted: number): Promise<void> {
  for (;;) {
    const text = await (await fetch(`${url}/metrics`)).text()
    const found = /^inbox_waiters(?:\{[^}]*\})? (\d+)/m.exec(text)
    if (Number(found?.[1] ?? 0) >= wanted) return
  }
}

describe.each([...CLIENTS])('news, client %s', (client) => {
  const ways = client === 'v2 modern' ? (['stdio', 'http'] as const) : (['stdio'] as const)
  test.each([...ways])(
    'arrives over %s for the subscriber’s mail, not for others’ mail',
    async (by) => {
      const [name, other] = [unique('listener'), unique('other')]
      const visitor = await visit(client, by === 'stdio' ? stdio(name) : http(name))
      data(await visitor.call('read_messages'))
      data(await (await visit('v2 modern', http(other))).call('read_messages'))
      expect(visitor.canFollow()).toBe(true)
      let told = 0
      let onNews = () => {}
      await visitor.follow('inbox://unread', () => {
        told += 1
        onNews()
      })
      // If the other agent's news were delivered here, it would arrive first.
      await shell('mail', 'send', '--from', 'user', '--to', other, '--body', 'Not for you')
      const news = new Promise<void>((resolve) => {
        onNews = resolve
      })
      await shell('mail', 'send', '--from', 'user', '--to', name, '--body', 'For you')
      await news
      expect(told).toBe(1)
      await visitor.close()
    },
  )
})

describe.each(['v2 legacy', 'v1'] as const)('over HTTP to client %s of the older era', (client) => {
  test('subscriptions are not offered, but unread mail can be read', async () => {
    const visitor = await visit(client, http(unique('looker')))
    expect(visitor.canFollow()).toBe(false)
    await expect(visitor.follow('inbox://unread', () => {})).rejects.toThrow('Method not found')
    expect(JSON.parse(await visitor.resource('inbox://unread'))).toMatchObject({ unread: 0 })
    await visitor.close()
  })
})

test('a person’s decision and notes are framed as data', async () => {
  const visitor = await visit('v2 modern', http(unique('asker')))
  const asked = { type: 'chore', title: 'May I?' }
  const { request_id: request } = data<{ request_id: string }>(
    await visitor.call('request_approval', asked),
  )
  const { content } = await visitor.call('request_status', { request })
  expect(content[0]?.text).toStartWith(OTHERS_WORDS)
})
