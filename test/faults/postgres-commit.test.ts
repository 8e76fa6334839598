// The connection is cut at COMMIT. "after": the server receives and runs it, but the answer is lost. "before": the
// server never receives it. Either way the call returns an answer and has one effect.

import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { type Client, connect } from '../../src/index.ts'
import { withLonelyStore } from '../races/own-store.ts'
import { findingsOf } from '../races/witness.ts'
import { type PostgresProxy, startProxy } from '../tools/proxy.ts'
import { serverUrl } from '../worlds/server.ts'
import type { TestStore } from '../worlds/store.ts'
import { until } from '../worlds/world.ts'

type Scene = { client: Client; store: TestStore }
type Call = {
  prepare(scene: Scene): Promise<string>
  run(client: Client, thread: string): Promise<object>
}

const pending = ({ client }: Scene) => send(client)
const held = async ({ client }: Scene) => {
  const thread = await send(client)
  await client.claim({ thread })
  return thread
}
const lapsed = async (scene: Scene) => {
  const thread = await held(scene)
  await scene.store.clock.set('2099-01-01T00:00:00.000Z')
  return thread
}

// Without tokens or keys from the caller, only the store's own key identifies a repeat.
const CALLS: Record<string, Call> = {
  send: { prepare: pending, run: (client) => client.send({ to: 'lead', subject: 'two' }) },
  append: { prepare: pending, run: (client, thread) => client.send({ thread, summary: 'more' }) },
  'claim of the only thread': { prepare: pending, run: (client) => client.claim({}) },
  'claim by id': { prepare: pending, run: (client, thread) => client.claim({ thread }) },
  renew: { prepare: held, run: (client, thread) => client.renew({ thread }) },
  update: {
    prepare: held,
    run: (client, thread) => client.update({ thread, status: 'blocked', summary: 'which?' }),
  },
  reply: { prepare: held, run: (client, thread) => client.reply({ thread, summary: 'this' }) },
  done: { prepare: held, run: (client, thread) => client.done({ thread, summary: 'built' }) },
  fail: { prepare: held, run: (client, thread) => client.fail({ thread, summary: 'broken' }) },
  cancel: { prepare: pending, run: (client, thread) => client.cancel({ thread }) },
  sweep: { prepare: lapsed, run: (client) => client.sweep({}) },
}

let proxy: PostgresProxy
beforeAll(async () => {
  proxy = await startProxy(serverUrl())
})
afterAll(() => proxy.stop())

describe.each(['after', 'before'] as const)('the connection is cut %s the commit', (moment) => {
  test.each(Object.entries(CALLS))('%s is done once, and answered', async (_, call) => {
    await onStore(async (scene) => {
      const { client, store } = scene
      const thread = await call.prepare(scene)
      const before = await eventCount(store)
      const cutsBefore = proxy.cuts
      proxy.cutNextCommit(moment)
      const answer = await call.run(client, thread)
      expect(proxy.cuts - cutsBefore).toBe(1)
      expect(await eventCount(store)).toBe(before + 1)
      // A try that was rolled back has used up an id. Gaps are allowed, so the id is looked up.
      expect(answer).toHaveProperty('next_event_id', await lastEventId(store))
    })
  })
})

describe('the connection is cut after a commit that the server is slow to run', () => {
  test.each(Object.entries(CALLS))(
    '%s waits for it to finish and returns its answer',
    async (_, call) => {
      await onStore(async (scene) => {
        const { client, store } = scene
        const thread = await call.prepare(scene)
        const before = await eventCount(store)
        const cutsBefore = proxy.cuts
        // While we hold the log's lock, the append and the commit after it wait.
        await store.sql('select pg_advisory_lock(7301, hashtext(current_schema()))')
        proxy.cutNextCommit('after')
        let answered = false
        const answer = call.run(client, thread).finally(() => {
          answered = true
        })
        await until(async () => proxy.cuts > cutsBefore, 'the cut')
        // The cut is noticed before the server reaches the lock.
        let first: number | undefined
        await until(async () => {
          const [waiting] = await store.sql(
            `select pid from pg_stat_activity where datname = current_database() and wait_event = 'advisory'`,
          )
          if (waiting !== undefined) first = Number(waiting.pid)
          return answered || first !== undefined
        }, 'the first try at the lock')
        await until(
          async () => answered || (await sessionsBeside(store, Number(first))) > 0,
          'a second try',
        )
        expect(answered).toBe(false)
        await store.sql('select pg_advisory_unlock(7301, hashtext(current_schema()))')
        expect(await answer).toHaveProperty('next_event_id', await lastEventId(store))
        expect(await eventCount(store)).toBe(before + 1)
      })
    },
  )
})

test('with 2 % of all messages cut, 4 clients lose no answered write and repeat none', async () => {
  await onStore(async ({ store }) => {
    const address = proxied(store)
    const clients = await Promise.all([1, 2, 3, 4].map(() => connect(address, { agent: 'lead' })))
    const cutsBefore = proxy.cuts
    proxy.cutRandomly(0.02, 7)
    const answered: string[] = []
    await Promise.all(
      clients.map(async (client) => {
        for (let i = 0; i < 60; i++) {
          // After four cuts in a row, a call is refused as busy, whether or not the write was made.
          const sent = await client.send({ to: 'worker', subject: 'x' }).catch(() => undefined)
          if (sent !== undefined) answered.push(sent.thread.thread_id)
        }
      }),
    )
    proxy.cutRandomly(0, 0)
    await Promise.all(clients.map((client) => client.close()))
    const stored = await store.sql('select thread_id from threads')
    const ids = new Set(stored.map((row) => String(row.thread_id)))
    expect(proxy.cuts - cutsBefore).toBeGreaterThan(10)
    // A call takes about forty messages: with a single try, fewer than half would be answered.
    expect(answered.length).toBeGreaterThan(160)
    expect(answered.filter((id) => !ids.has(id))).toEqual([])
    expect(new Set(answered).size).toBe(answered.length)
    expect(ids.size).toBeLessThanOrEqual(240)
    expect(await findingsOf(store.address)).toEqual([])
  })
})

async function onStore(use: (scene: Scene) => Promise<void>): Promise<void> {
  await withLonelyStore('postgres', async (store) => {
    const client = await connect(proxied(store), { agent: 'lead', connections: 1 })
    try {
      await use({ client, store })
    } finally {
      await client.close()
    }
  })
}

function proxied({ address }: TestStore): string {
  const url = new URL(address)
  url.host = new URL(proxy.url).host
  return url.href
}

async function send(client: Client): Promise<string> {
  const { thread } = await client.send({ to: 'lead', subject: 'one' })
  return thread.thread_id
}

async function eventCount(store: TestStore): Promise<number> {
  const [row] = await store.sql("select count(*) as n from events where thread_id <> ''")
  return Number(row?.n)
}

async function lastEventId(store: TestStore): Promise<number> {
  const [row] = await store.sql('select max(event_id) as id from events')
  return Number(row?.id)
}

async function sessionsBeside(store: TestStore, pid: number): Promise<number> {
  const rows = await store.sql(
    `select pid from pg_stat_activity
     where datname = current_database() and application_name = 'mailroom' and pid <> ? and query <> ''`,
    pid,
  )
  return rows.length
}
