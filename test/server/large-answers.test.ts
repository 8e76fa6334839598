// However much a caller has been sent, each response is limited in size and says how to get more.

import { beforeAll, expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { op, type Running, servers } from './serving.ts'

const { start } = servers()
let server: Running
let threadId: string
const COUNT = 12
/** Six times as long when encoded as JSON. */
const BODY = '\u0001'.repeat(1_000_000)
/** More than a single message, which is 6 MB. */
const MOST = 8_000_000

beforeAll(async () => {
  server = await start()
  await op(server, 'mail-read', {}, AS_BOB)
  const mail = { to: 'bob', subject: 'More', body: BODY }
  const first = await op(server, 'mail-send', mail, { as: 'alice' })
  const { id, thread_id: thread } = first.body.message as { id: string; thread_id: string }
  threadId = thread
  for (let i = 1; i < COUNT; i++) {
    await op(server, 'mail-send', { ...mail, in_reply_to: id }, { as: 'alice' })
  }
  await op(server, 'push', { comments: BODY }, AS_BOB)
  await op(server, 'push', { comments: BODY }, AS_BOB)
})

const AS_BOB = { as: 'bob' }

type Page = { messages: { id?: string; message_id?: string }[]; has_more: boolean }

const residentMb = () => {
  const status = readFileSync(`/proc/${server.pid}/status`, 'utf8')
  return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1024
}

test('mail-read, mail-peek, mail-history, and show page through all mail', async () => {
  const ways = [
    ['mail-read', 'since', 'next_event_id'],
    ['mail-peek', 'since', 'next_event_id'],
    ['mail-history', 'before', 'next_before'],
    ['show', 'after', 'next_after'],
  ] as const
  for (const [name, field, cursor] of ways) {
    const ids = new Set<string>()
    let from: unknown
    for (let pages = 0; pages <= COUNT; pages++) {
      const input = {
        ...(name === 'show' ? { thread: threadId } : { limit: 100 }),
        ...(from === undefined ? {} : { [field]: name === 'show' ? from : String(from) }),
      }
      const { status, body, text } = await op(server, name, input, AS_BOB)
      expect({ name, status, short: text.length < MOST }).toEqual({
        name,
        status: 200,
        short: true,
      })
      const { messages, has_more } = body as unknown as Page
      for (const one of messages) ids.add(one.id ?? one.message_id ?? '')
      if (!has_more) break
      from = body[cursor]
    }
    expect({ name, count: ids.size >= COUNT }).toEqual({ name, count: true })
  }
})

test('the newest message is shown even if there is no room for the older ones', async () => {
  await op(server, 'mail-send', { to: 'bob', subject: 'Last', body: 'Short.' }, { as: 'alice' })
  const { body } = await op(server, 'mail-peek', { newest: true, limit: 100 }, AS_BOB)
  expect(body).toMatchObject({ has_more: true, messages: [{ subject: 'Last' }] })
})

test('push-history is paged too, and receipts omit long bodies', async () => {
  const first = await op(server, 'push-history', { limit: 100 })
  expect(first.body).toMatchObject({ has_more: true, entries: [{}] })
  const second = await op(server, 'push-history', { limit: 100, before: first.body.next_before })
  expect(second.body).toMatchObject({ has_more: false, entries: [{}] })
  for (const input of [{ limit: 500 }, { limit: 500, thread: threadId }]) {
    const receipts = await op(server, 'mail-receipts', input, { as: 'alice' })
    expect((receipts.body.messages as unknown[]).length).toBeGreaterThanOrEqual(COUNT)
    expect(receipts.text.length).toBeLessThan(MOST)
  }
})

test('many large answers at once do not fill the memory or block others', async () => {
  const asking = Array.from({ length: 12 }, () =>
    op(server, 'mail-peek', { limit: 500 }, AS_BOB).then(({ status }) => status),
  )
  expect((await op(server, 'list')).status).toBe(200)
  await Promise.all(asking)
  expect(residentMb()).toBeLessThan(1200)
})
