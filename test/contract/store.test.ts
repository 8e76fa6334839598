// The store port, engine by engine: what core/store.ts promises to the operations.

import { expect } from 'bun:test'
import { fstatSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { type Mailroom, openMailroom } from '../../src/bin/compose.ts'
import { append, claim, markRead, open as openThread } from '../../src/core/threads/commands.ts'
import type { ThreadState } from '../../src/core/threads/evolve.ts'
import type { Thread } from '../../src/core/threads/thread.ts'
import type { Priority } from '../../src/core/threads/work.ts'
import { until } from '../worlds/world.ts'
import { contract, type Place } from './engines.ts'

type Sending = {
  thread_id?: string
  from?: string
  to?: string
  priority?: Priority
  words?: object
}

/** Creates one thread through the port, without using an operation. */
async function send({ store, makeId }: Mailroom, sending: Sending = {}): Promise<ThreadState> {
  const { value } = await store.write(async (tx) => {
    const { words, from = 'lead', to = 'worker', ...rest } = sending
    const event = openThread(
      {
        thread_id: makeId('thread'),
        run_id: 'run_1',
        task_id: '',
        kind: 'task' as const,
        from,
        to,
        subject: 'Build it',
        priority: 'normal' as const,
        ...rest,
        words: { summary: 'Build it', body: '', payload_json: '{}', artifacts: [], ...words },
      },
      { now: await tx.now(), messageId: makeId('message'), artifactIds: [makeId('artifact')] },
    )
    return tx.record(null, event)
  })
  return value
}

contract('everything a unit of work records is stored when write returns', async (place) => {
  const mailroom = await place.open()
  const { store } = mailroom
  const state = await send(mailroom)
  const { thread_id, latest_message_id } = state.thread
  expect(await store.thread(thread_id)).toEqual(state)
  expect(await store.messages(thread_id, { after: 0, limit: 1000 })).toHaveLength(1)
  expect(await store.message(latest_message_id)).toMatchObject({ thread_id, seq: 1 })
  const events = await store.events({ after: 0, without: [], limit: 10 })
  expect(events).toMatchObject([{ thread_id, event_type: 'thread_send', run_id: 'run_1' }])
  expect(await store.lastEventId()).toBe(events[0]?.event_id as number)
})

contract('a unit of work that throws leaves nothing behind', async (place) => {
  const mailroom = await place.open()
  const { store } = mailroom
  const { thread } = await send(mailroom)
  const failing = store.write(async (tx) => {
    const locked = await tx.lock(thread.thread_id)
    if (locked === null) throw new Error('no thread')
    tx.record(locked.state, markRead(locked.state, mark(thread), locked.now))
    throw new Error('changed my mind')
  })
  await expect(failing).rejects.toThrow('changed my mind')
  expect(await store.readMark(thread.thread_id, 'worker')).toBeNull()
  expect(await place.sql('select count(*) as n from events')).toEqual([{ n: 1 }])
  // And the store isn't stuck: the next unit of work gets its lock.
  expect((await store.write((tx) => tx.lock(thread.thread_id))).value).not.toBeNull()
})

contract('a unit of work cannot change a delivery that it creates', async (place) => {
  const mailroom = await place.open()
  const { store, makeId } = mailroom
  const { thread } = await send(mailroom)
  const both = store.write(async (tx) => {
    const locked = await tx.lock(thread.thread_id)
    if (locked === null) throw new Error('no thread')
    const { state, now } = locked
    const words = { summary: 'So', body: '', payload_json: '{}', artifacts: [] }
    const said = { from: 'lead', to: 'worker', kind: 'progress' as const, words, answers: null }
    const at = { now, messageId: makeId('message'), artifactIds: [] }
    const after = tx.record(state, append(state, said, at, 'append'))
    tx.record(after, markRead(after, mark(after.thread), now))
    return {}
  })
  await expect(both).rejects.toThrow('in the same transaction')
  expect(await place.sql('select count(*) as n from events')).toEqual([{ n: 1 }])
})

contract('a failing write does not affect other writes at the same time', async (place) => {
  const mailroom = await place.open()
  const writes = Array.from({ length: 20 }, (_, i) =>
    i % 5 === 0
      ? mailroom.store.write(async () => {
          throw new Error(`no ${i}`)
        })
      : send(mailroom),
  )
  const outcomes = await Promise.allSettled(writes)
  expect(outcomes.filter(({ status }) => status === 'rejected')).toHaveLength(4)
  expect(await place.sql('select count(*) as n from threads')).toEqual([{ n: 16 }])
  const ids = await place.sql('select event_id from events order by event_id')
  expect(new Set(ids.map(({ event_id }) => event_id)).size).toBe(16)
})

contract('reads outside a unit of work see its changes only after the commit', async (place) => {
  const mailroom = await place.open()
  const { store } = mailroom
  const { thread } = await send(mailroom)
  let seen: unknown = 'nothing'
  await store.write(async (tx) => {
    const locked = await tx.lock(thread.thread_id)
    if (locked === null) throw new Error('no thread')
    tx.record(locked.state, markRead(locked.state, mark(thread), locked.now))
    seen = await store.readMark(thread.thread_id, 'worker')
    return {}
  })
  expect(seen).toBeNull()
  expect(await store.readMark(thread.thread_id, 'worker')).not.toBeNull()
})

contract('a lock returns the time, and null for a missing thread', async (place) => {
  const mailroom = await place.open()
  await place.clock.set('2026-03-01T10:00:00.000Z')
  const { thread } = await send(mailroom)
  await mailroom.store.write(async (tx) => {
    expect(await tx.lock('thr_none')).toBeNull()
    expect((await tx.lock(thread.thread_id))?.now).toBe('2026-03-01T10:00:00.000Z')
    expect(await tx.now()).toBe('2026-03-01T10:00:00.000Z')
    return {}
  })
})

contract('without a fixed clock, the store returns the time of day', async (place) => {
  const { store } = await place.open()
  const before = Date.now()
  const now = await store.now()
  expect(now).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
  expect(Date.parse(now)).toBeGreaterThanOrEqual(before - 1)
  expect(Date.parse(now)).toBeLessThanOrEqual(Date.now() + 1)
})

// Under "C", as in JavaScript, capitals sort before lowercase letters, with _ between them. Language collations differ.
// Every page, list and tie must be sorted by code unit on every engine.
const NAMES = ['B', 'Z', '_', 'a', 'b', 'z', 'ß', 'ä', 'é', '日'].map((letter) => `t${letter}`)

contract('ids and names are sorted by code unit in any database language', async (place) => {
  const mailroom = await place.open()
  const { store } = mailroom
  await place.clock.set('2026-03-01T10:00:00.000Z')
  for (const thread_id of [...NAMES].reverse()) {
    await send(mailroom, { thread_id, from: thread_id })
    await store.write(async (tx) => {
      const locked = await tx.lock(thread_id)
      if (locked === null) throw new Error('no thread')
      const agent = `agent-${thread_id}`
      const { thread } = locked.state
      tx.record(locked.state, markRead(locked.state, { ...mark(thread), agent }, locked.now))
      return {}
    })
  }
  const keeper = await store.keeper()
  const paged: string[] = []
  for (let after = ''; ; after = paged.at(-1) as string) {
    const page = await keeper.threadsPage(after, 3)
    if (page.length === 0) break
    paged.push(...page.map((thread) => thread.thread_id))
  }
  expect(paged).toEqual(NAMES)
  let reads = await keeper.readsPage({ thread_id: '', agent_id: '' }, 4)
  const readers = [...reads]
  while (reads.length > 0) {
    reads = await keeper.readsPage(readers.at(-1) as (typeof reads)[0], 4)
    readers.push(...reads)
  }
  expect(readers.map((read) => read.thread_id)).toEqual(NAMES)
  const ids = (threads: { thread_id: string }[]) => threads.map((thread) => thread.thread_id)
  const listed = await store.threads({ statuses: ['pending'], limit: 50 })
  expect(ids(listed)).toEqual([...NAMES].reverse())
  const fetched = await store.fetch({ agent: 'worker', unreadOnly: false, limit: 50 })
  expect(ids(fetched.map(({ thread }) => thread))).toEqual(NAMES)
  // A limit doesn't change the order.
  const few = await store.fetch({ agent: 'worker', unreadOnly: false, limit: 3 })
  expect(ids(few.map(({ thread }) => thread))).toEqual(NAMES.slice(0, 3))
  expect((await store.overview(1)).pending[0]?.thread_id).toBe(NAMES[0] as string)
})

contract('claim takes threads in the order in which fetch lists them', async (place) => {
  const mailroom = await place.open()
  const { store, makeId } = mailroom
  await place.clock.set('2026-03-01T10:00:00.000Z')
  const order: [string, Priority][] = [
    ['tz', 'high'],
    ['tZ', 'normal'],
    ['t_', 'normal'],
    ['ta', 'normal'],
    ['tB', 'low'],
  ]
  for (const [thread_id, priority] of [...order].reverse()) {
    await send(mailroom, { thread_id, priority })
  }
  const taken: (string | undefined)[] = []
  for (const _ of order) {
    const { value } = await store.write(async (tx) => {
      const locked = await tx.lockNext('worker')
      if (locked === null) return undefined
      const lease = { lease_token: makeId('lease'), lease_seconds: 60 }
      const want = { agent: 'worker', ...lease, handed: [] }
      const moment = { now: locked.now, messageId: makeId('message'), artifactIds: [] }
      return tx.record(locked.state, claim(locked.state, want, moment)).thread.thread_id
    })
    taken.push(value)
  }
  expect(taken).toEqual(order.map(([thread_id]) => thread_id))
  expect((await store.write((tx) => tx.lockNext('worker'))).value).toBeNull()
})

contract('counts and ids are read as numbers', async (place) => {
  const mailroom = await place.open()
  const { store } = mailroom
  const inbox = await place.connect()
  const { thread } = await send(mailroom, { words: { artifacts: [ARTIFACT] } })
  await inbox.claim({ agent: 'worker', thread: thread.thread_id })
  await inbox.show({ thread: thread.thread_id, agent: 'worker', mark_read: true })
  const state = await store.thread(thread.thread_id)
  expect(typeof state?.thread.message_count).toBe('number')
  expect(state?.lease).toMatchObject({ generation: 1, lease_seconds: 900, released_at: null })
  const [message] = await store.messages(thread.thread_id, { after: 0, limit: 1000 })
  expect(message).toMatchObject({ seq: 1, artifacts: [{ path: 'a.ts' }] })
  expect(await store.lastEventId()).toBe(4)
  expect(await store.floor()).toBe(0)
  expect((await store.readMark(thread.thread_id, 'worker'))?.last_read_seq).toBe(2)
  const { counts } = await store.overview(5)
  expect(counts).toMatchObject({ messages: 2, events: 4, threads: { claimed: 1, done: 0 } })
  const keeper = await store.keeper()
  for (const { event } of await keeper.log(0, 10)) expect(event.event_id).toBeNumber()
  const [logged] = await keeper.log(0, 1)
  expect(logged).toMatchObject({ event: { event_id: 1 }, message: { seq: 1 } })
})

const ARTIFACT = { path: 'a.ts', kind: 'source', metadata_json: '{ "n": 1.0 }' }

contract('every column keeps the type it was given', async (place) => {
  const inbox = await place.connect()
  const { thread } = await inbox.send({
    from: 'lead',
    to: 'worker',
    subject: '1',
    run: '1',
    task: '1.0',
    body: '1',
    artifacts: [{ ...ARTIFACT, path: '1' }],
    idempotency_key: '1',
  })
  await inbox.claim({ agent: 'worker', thread: thread.thread_id })
  await inbox.show({ thread: thread.thread_id, agent: 'worker', mark_read: true })
  await inbox.agentRegister({ agent: 'worker', role: 'builder', paired_person: 'user:ann' })
  await inbox.mailSend({ from: 'lead', to: 'role:builder', body: '1' })
  const numbers = ['event_id', 'seq', 'generation', 'lease_seconds', 'message_count']
  numbers.push('priority_rank', 'last_read_seq', 'hops', 'may_write_to_user', 'upto_event')
  numbers.push('attempt', 'exit_code')
  let columns = 0
  for (const table of TABLES) {
    const [row] = await place.sql(`select * from ${table} limit 1`)
    for (const [column, value] of Object.entries(row ?? {})) {
      if (value === null) continue
      columns += 1
      const type = numbers.includes(column) ? 'number' : 'string'
      expect([table, column, typeof value]).toEqual([table, column, type])
      if (place.engine !== 'sqlite') continue
      const [stored] = await place.sql(`select typeof(${column}) as type from ${table} limit 1`)
      expect([column, stored?.type]).toEqual([column, type === 'number' ? 'integer' : 'text'])
    }
  }
  expect(columns).toBeGreaterThan(80)
  expect(
    await place.sql(`select run_id, task_id, subject from threads where kind = 'work'`),
  ).toEqual([{ run_id: '1', task_id: '1.0', subject: '1' }])
})

const TABLES = ['threads', 'messages', 'leases', 'artifacts', 'thread_reads', 'events']
TABLES.push(
  'idempotency_keys',
  'agents',
  'people',
  'sightings',
  'deliveries',
  'role_turns',
  'turns',
  'wakes',
)

const WORDS = [
  '{ "b": 1.0,\n "a": [1e2, -0, 0.1] }',
  '{"a":1,"a":2}',
  '"\\u00e9 \\ud83c\\udf89 é 🎉"',
  '12345678901234567890.12345678901234567890',
  ' [ ] ',
]

contract('keeps JSON and all other text unchanged', async (place) => {
  const mailroom = await place.open()
  const { store } = mailroom
  for (const payload_json of WORDS) {
    const body = `${payload_json}\r\n\t\u0001\u007f\u2028 \u{10ffff} é`
    const artifacts = [{ ...ARTIFACT, metadata_json: payload_json }]
    const { thread } = await send(mailroom, { words: { payload_json, body, artifacts } })
    const [message] = await store.messages(thread.thread_id, { after: 0, limit: 1000 })
    expect(message).toMatchObject({ payload_json, body })
    expect(message?.artifacts[0]?.metadata_json).toBe(payload_json)
    const keeper = await store.keeper()
    const entries = await keeper.log(0, 100)
    expect(entries.at(-1)?.message).toEqual(message as NonNullable<typeof message>)
  }
})

contract(
  'keeps a body of a mebibyte and a payload of a quarter mebibyte unchanged',
  async (place) => {
    const inbox = await place.connect()
    const body = '🎉é'.repeat(349_525)
    const payload_json = JSON.stringify({ text: 'x'.repeat(262_000) })
    const { thread } = await inbox.send({
      from: 'lead',
      to: 'worker',
      subject: 'Large',
      body,
      payload_json,
      idempotency_key: 'large',
    })
    const { messages } = await inbox.show({ thread: thread.thread_id })
    expect(messages[0]?.body === body).toBe(true)
    expect(JSON.stringify(messages[0]?.payload_json) === payload_json).toBe(true)
  },
)

contract('refuses NUL and lone surrogates', async (place) => {
  const inbox = await place.connect()
  for (const bad of ['a\0b', '\ud800', '\udfff']) {
    for (const input of [
      { subject: bad },
      { body: bad },
      { payload_json: JSON.stringify([bad]) },
    ]) {
      const call = inbox.send({ from: 'lead', to: 'worker', subject: 'Hello', ...input })
      await expect(call).rejects.toMatchObject({ name: 'Refusal', code: 'invalid_input' })
    }
  }
  expect((await inbox.list({})).threads).toEqual([])
})

contract('a store can be closed twice and opened again', async (place) => {
  const first = await place.open()
  const { thread } = await send(first)
  await Promise.all([first.close(), first.close()])
  const second = await place.open()
  expect(await second.store.thread(thread.thread_id)).not.toBeNull()
})

contract('a closed store leaves no sessions or files open', async (place) => {
  const { mailroom, openings } = await openCounted(place)
  await send(mailroom)
  await mailroom.store.threads({ statuses: ['pending'], limit: 1 })
  const disarm = await mailroom.bell.arm(() => {})
  expect(await openings()).toBeGreaterThan(0)
  disarm()
  await mailroom.close()
  await until(async () => (await openings()) === 0, 'everything was let go')
})

/** Opens the store in a way that lets us count its open sessions or files. */
async function openCounted(place: Place) {
  if (place.engine === 'postgres') {
    const label = `marked_${new URL(place.address).searchParams.get('schema')}`
    const mailroom = await openMailroom(`${place.address}&application_name=${label}`)
    const openings = async () => {
      const count = 'select count(*) as n from pg_stat_activity where application_name = ?'
      return (await place.sql(count, label))[0]?.n as number
    }
    return { mailroom, openings }
  }
  const mailroom = await place.open()
  const identity = ({ dev, ino }: { dev: number; ino: number }) => `${dev}:${ino}`
  const openings = async () => {
    const files = readdirSync(place.folder).map((name) => statSync(join(place.folder, name)))
    const ours = new Set(files.map(identity))
    return readdirSync('/dev/fd').filter((fd) => {
      try {
        return ours.has(identity(fstatSync(Number(fd))))
      } catch {
        // The descriptor was closed after it was listed.
        return false
      }
    }).length
  }
  return { mailroom, openings }
}

function mark(thread: Thread) {
  return { agent: 'worker', message_id: thread.latest_message_id, seq: thread.message_count }
}
