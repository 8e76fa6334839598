// The event stream: each event once, in order, from the reader's cursor; and what happens to readers that fall behind.

import { beforeAll, expect, test } from 'bun:test'
import { connect } from 'node:net'
import { join } from 'node:path'
import { hearsItsMail } from './own-mail.ts'
import { comeBackWhileOthersWrite } from './resuming.ts'
import { bySocket, listen, op, type Running, servers } from './serving.ts'

const { start, folder } = servers()
let server: Running
beforeAll(async () => {
  server = await start()
})

async function send(to: string, subject: string, as = 'lead'): Promise<number> {
  const { body } = await op(server, 'send', { to, subject }, { as })
  return Number(body.next_event_id)
}

const subjects = (heard: { data: Record<string, unknown> }[]) =>
  heard.map(({ data }) => data.summary)

test('events arrive as they happen, without lease tokens', async () => {
  const stream = await listen(server)
  expect(stream.response.headers.get('content-type')).toContain('text/event-stream')
  await send('alice', 'One')
  await op(server, 'claim', {}, { as: 'alice' })
  await stream.until((heard) => heard.some(({ data }) => data.event_type === 'thread_claim'))
  const text = JSON.stringify(stream.heard)
  expect(text).not.toContain('lse_')
  expect(text).not.toContain('payload_json')
  stream.leave()
})

test('a client that reconnects with its last id misses no events and gets no duplicates', async () => {
  const first = await listen(server)
  await send('carol', 'A')
  await send('carol', 'B')
  const has = (subject: string) => (heard: { data: Record<string, unknown> }[]) =>
    subjects(heard).includes(subject)
  await first.until(has('B'))
  first.leave()
  const lastId = first.heard.at(-1)?.id ?? 0
  await send('carol', 'C')
  for (const back of [
    await listen(server, '', { headers: { 'last-event-id': String(lastId) } }),
    await listen(server, `?after=${lastId}`),
  ]) {
    await send('carol', 'D')
    await back.until(has('D'))
    const ids = back.heard.map(({ id }) => id)
    expect(ids).toEqual([...ids].sort((a, b) => a - b))
    expect(ids.every((id) => id > lastId)).toBe(true)
    expect(new Set(ids).size).toBe(ids.length)
    expect(subjects(back.heard)).toContain('C')
    expect(subjects(back.heard)).not.toContain('B')
    back.leave()
  }
})

test('a client without a cursor can ask for the latest events', async () => {
  const before = await send('erin', 'Long before')
  await send('erin', 'Just before')
  const late = await listen(server, '?ago_ms=60000')
  await late.until((heard) => subjects(heard).includes('Just before'))
  await send('erin', 'After')
  await late.until((heard) => subjects(heard).includes('After'))
  const ids = late.heard.map(({ id }) => id)
  expect(new Set(ids).size).toBe(ids.length)
  late.leave()
  // Earlier events are left out.
  const now = await listen(server, '?ago_ms=0')
  await send('erin', 'Now')
  await now.until((heard) => subjects(heard).includes('Now'))
  expect(now.heard.every(({ id }) => id > before)).toBe(true)
  expect(subjects(now.heard)).not.toContain('Long before')
  now.leave()
  for (const wrong of ['60001', '-1', 'soon', '1.5', '']) {
    const { status, body } = await bySocket(server, `/api/events?ago_ms=${wrong}`)
    expect(status).toBe(400)
    expect(JSON.stringify(body)).toContain('ago_ms')
  }
})

test('a reader that asks for too many past events gets a reset', async () => {
  const busy = await start()
  for (let i = 0; i < 520; i++)
    await op(busy, 'send', { to: 'x', subject: `S${i}` }, { as: 'lead' })
  const stream = await listen(busy, '?ago_ms=60000')
  await stream.until((heard) => heard.length > 0)
  expect(stream.heard[0]).toMatchObject({ event: 'reset' })
  stream.leave()
})

test('1000 reconnects while others write neither lose nor repeat events, at one server or two', async () => {
  const db = [join(folder(), 'store.db')]
  const both = await Promise.all([start({ db }), start({ db })])
  await comeBackWhileOthersWrite(both, { readers: 10, times: 100 })
})

test('a reader with a pruned cursor, or one from another log, gets a reset and then new events', async () => {
  const stream = await listen(server, '?after=999999')
  await stream.until((heard) => heard.length > 0)
  expect(stream.heard[0]).toMatchObject({ event: 'reset' })
  const from = Number(stream.heard[0]?.data.next_event_id)
  await send('dave', 'After')
  await stream.until((heard) => subjects(heard).includes('After'))
  expect(stream.heard.slice(1).every(({ id }) => id > from)).toBe(true)
  stream.leave()
  const wrong = await bySocket(server, '/api/events?after=soon')
  expect(wrong.status).toBe(400)
  const { body } = await op(server, 'send', { to: 'dave', subject: 'Old' }, { as: 'lead' })
  const { thread_id } = body.thread as { thread_id: string }
  await op(server, 'claim', { thread: thread_id }, { as: 'dave' })
  await op(server, 'done', { thread: thread_id, summary: 'Done' }, { as: 'dave' })
  const before = { older_than_days: 0, include_unread: true }
  expect((await op(server, 'prune', before)).body).toMatchObject({ removed: { threads: 1 } })
  const late = await listen(server, `?after=${from}`)
  await send('dave', 'Later')
  await late.until((heard) => subjects(heard).includes('Later'))
  expect(late.heard.map(({ event }) => event).slice(0, 2)).toEqual(['reset', 'message'])
  late.leave()
})

test('filters events by thread and type', async () => {
  const { body } = await op(server, 'send', { to: 'erin', subject: 'Mine' }, { as: 'lead' })
  const { thread_id } = body.thread as { thread_id: string }
  const own = await listen(server, `?thread=${thread_id}&types=thread_claim,thread_done`)
  await send('frank', 'Not mine')
  await op(server, 'claim', { thread: thread_id }, { as: 'erin' })
  await op(server, 'done', { thread: thread_id, summary: 'Done' }, { as: 'erin' })
  await own.until((heard) => heard.length === 2)
  expect(own.heard.map(({ data }) => data.event_type)).toEqual(['thread_claim', 'thread_done'])
  own.leave()
})

test('filters events by workspace, including older pushes', async () => {
  const { body } = await op(server, 'workspace-add', { path: folder(), label: 'Ours' })
  const { workspace_id } = body.workspace as { workspace_id: string }
  const push = async (input: object) => {
    const { body } = await op(server, 'push', { comments: 'Look', ...input }, { as: 'olga' })
    return String(body.entry_id)
  }
  const before = await op(server, 'push', { comments: 'Look', workspace: workspace_id })
  const stream = await listen(server, `?workspace=${workspace_id}`)
  await push({})
  const entry = String(before.body.entry_id)
  await op(server, 'push-read', { entries: [entry] })
  await op(server, 'push-trash', { entries: [entry] })
  await stream.until((heard) => heard.length === 2)
  expect(stream.heard.map(({ data }) => [data.event_type, data.thread_id])).toEqual([
    ['delivery_read', entry],
    ['push_trash', entry],
  ])
  stream.leave()
})

test('an agent sees only what others do in its threads', async () => {
  const stream = await listen(server, '?agent=grace', { as: 'grace' })
  await send('heidi', 'Hers')
  await send('grace', 'For grace')
  await op(server, 'claim', {}, { as: 'grace' })
  await op(server, 'send', { to: 'ivan', subject: 'By grace' }, { as: 'grace' })
  await op(server, 'claim', {}, { as: 'ivan' })
  await stream.until((heard) => heard.some(({ data }) => data.agent === 'ivan'))
  expect(stream.heard.map(({ data }) => [data.event_type, data.agent])).toEqual([
    ['thread_send', 'lead'],
    ['thread_claim', 'ivan'],
  ])
  stream.leave()
})

test('an agent hears of its deliveries, live and after reconnecting', async () => {
  await hearsItsMail(server)
})

test('50 listeners each get every event once, in order', async () => {
  const streams = await Promise.all(Array.from({ length: 50 }, () => listen(server)))
  const count = 40
  for (let i = 0; i < count; i++) await send('judy', `N${i}`)
  await Promise.all(
    streams.map((stream) => stream.until((heard) => subjects(heard).includes(`N${count - 1}`))),
  )
  const wanted = Array.from({ length: count }, (_, i) => `N${i}`)
  for (const { heard, leave } of streams) {
    const own = heard.filter(({ data }) => data.event_type === 'thread_send')
    expect(subjects(own)).toEqual(wanted)
    leave()
  }
  await noStreams()
})

async function noStreams(): Promise<void> {
  for (;;) {
    const { text } = await bySocket(server, '/metrics')
    if (/^inbox_streams 0$/m.test(text)) return
  }
}

test('drops a reader that does not read, keeps the others, and lets it resume where it was', async () => {
  const slow = connect(server.socket)
  slow.write('GET /api/events HTTP/1.1\r\nHost: x\r\n\r\n')
  await new Promise<void>((resolve) => slow.once('data', () => resolve()))
  slow.pause()
  const quick = await listen(server)
  const from = await send('ken', 'Begin')
  const dropped = async () => {
    const { text } = await bySocket(server, '/metrics')
    return Number(/^inbox_streams_dropped_total (\d+)$/m.exec(text)?.[1])
  }
  // Each event carries its subject, so a few thousand exceed what the socket and its queue hold.
  let last = 0
  let sent = 0
  const subject = 'x'.repeat(900)
  while ((await dropped()) === 0) {
    const batch = await Promise.all(Array.from({ length: 200 }, () => send('ken', subject)))
    last = Math.max(...batch)
    sent += batch.length
    expect(sent).toBeLessThan(200_000)
  }
  await quick.until((heard) => (heard.at(-1)?.id ?? 0) >= last)
  const own = quick.heard.filter(({ data, id }) => data.event_type === 'thread_send' && id > from)
  expect(own.length).toBe(sent)
  quick.leave()
  slow.destroy()
  const back = await listen(server, `?after=${from}`)
  await back.until((heard) => (heard.at(-1)?.id ?? 0) >= last)
  expect(back.heard.filter(({ data }) => data.event_type === 'thread_send').length).toBe(sent)
  back.leave()
})

test('refuses unknown filters and unknown events', async () => {
  const status = async (query: string, as?: string) =>
    (await bySocket(server, `/api/events${query}`, undefined, as === undefined ? {} : { as }))
      .status
  expect(await status('?type=thread_send')).toBe(400)
  expect(await status('?types=thread_send,thread_sent')).toBe(400)
  expect(await status('?since=3')).toBe(400)
  expect(await status('?agent=bob', 'nosy')).toBe(403)
  const open = await listen(server, '?types=&thread=&workspace=', { as: 'nosy' })
  expect(open.response.status).toBe(200)
  open.leave()
})

test('an idle stream sends a heartbeat', async () => {
  const socket = connect(server.socket)
  let text = ''
  const beat = new Promise<void>((resolve) => {
    socket.on('data', (bytes) => {
      text += bytes
      // A comment, which clients ignore.
      if (/^: ?$/m.test(text)) resolve()
    })
  })
  socket.write('GET /api/events?types=push_trash HTTP/1.1\r\nHost: inbox\r\n\r\n')
  await beat
  expect(text).not.toContain('event_type')
  socket.destroy()
})
