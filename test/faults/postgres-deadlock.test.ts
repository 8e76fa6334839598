// Other sessions lock the same threads in a different order, or hold the lock of the log.

import { expect, test } from 'bun:test'
import { Client } from 'pg'
import { connect } from '../../src/index.ts'
import { withLonelyStore } from '../races/own-store.ts'
import { startProxy } from '../tools/proxy.ts'
import { serverUrl } from '../worlds/server.ts'
import type { TestStore } from '../worlds/store.ts'
import { until } from '../worlds/world.ts'

/** Another session on the same store. It doesn't check for deadlocks, so our session is the victim. */
async function withAnother(address: string, use: (other: Client) => Promise<void>): Promise<void> {
  const url = new URL(address)
  const schema = url.searchParams.get('schema')
  url.searchParams.delete('schema')
  const client = new Client({
    connectionString: url.href,
    options: `-c search_path=${schema} -c deadlock_timeout=60000`,
  })
  await client.connect()
  try {
    await use(client)
  } finally {
    await client.end()
  }
}

async function someoneWaits(store: TestStore): Promise<void> {
  await until(async () => {
    const [found] = await store.sql(
      `select pid from pg_stat_activity
       where datname = current_database() and wait_event_type = 'Lock'`,
    )
    return found
  }, 'a session waits for a lock')
}

/** Waits until the server is reading again, which it does only after it has answered everything it was sent. */
async function everythingFailed(store: TestStore): Promise<void> {
  await until(async () => {
    const [found] = await store.sql(
      `select pid from pg_stat_activity where datname = current_database()
       and state = 'idle in transaction (aborted)' and wait_event = 'ClientRead'`,
    )
    return found
  }, 'the server has answered all it was sent')
}

const LOCK = 'select from threads where thread_id = $1 for update'

// When queries are sent together, a deadlock fails all of them, and the later ones don't say why.
test('a call that is the victim of a deadlock is retried and succeeds', async () => {
  const proxy = await startProxy(serverUrl())
  await withLonelyStore('postgres', async (store) => {
    const address = new URL(store.address)
    address.host = new URL(proxy.url).host
    const lead = await connect(address.href, { agent: 'lead', connections: 1 })
    await lead.agentRegister({ agent: 'ann' })
    for (const body of ['One', 'Two', 'Three', 'Four']) await lead.mailSend({ to: 'ann', body })
    const rows = await store.sql('select thread_id from threads order by thread_id collate "C"')
    const ids = rows.map(({ thread_id }) => thread_id as string)
    await withAnother(store.address, async (other) => {
      await other.query('begin')
      await other.query(LOCK, [ids.at(-1)])
      const marking = lead.mailMarkRead({ agent: 'ann', all: true })
      await someoneWaits(store)
      // The answers are held here and arrive together, so that their order doesn't reveal the cause.
      proxy.pause()
      // Granted once the server has rolled the call back.
      await other.query(LOCK, [ids[0]])
      await everythingFailed(store)
      await other.query('commit')
      proxy.resume()
      expect(await marking).toMatchObject({ marked: 4, unread: 0 })
    })
    await lead.close()
  })
  await proxy.stop()
})

test('a sweep holds no locks of one pass while it waits in the other', async () => {
  await withLonelyStore('postgres', async (store) => {
    const lead = await connect(store.address, { agent: 'lead' })
    await lead.agentRegister({ agent: 'ann' })
    await lead.mailSend({ to: 'ann', body: 'Lunch?', expires_seconds: 60 })
    const [mail] = await store.sql('select thread_id from threads')
    const { thread } = await lead.send({ to: 'ann', subject: 'Build it' })
    await lead.claim({ agent: 'ann', thread: thread.thread_id, lease_seconds: 60 })
    await store.clock.set('2099-01-01T00:00:00.000Z')
    await withAnother(store.address, async (other) => {
      await other.query('begin')
      await other.query(LOCK, [mail?.thread_id])
      const sweeping = lead.sweep({})
      await someoneWaits(store)
      await other.query(`set local lock_timeout = '5s'`)
      await other.query(LOCK, [thread.thread_id])
      await other.query('commit')
      expect(await sweeping).toMatchObject({
        threads: [{ thread_id: thread.thread_id, status: 'pending' }],
        expired: [{ recipient: 'ann' }],
      })
    })
    await lead.close()
  })
})

test('a write that waited for an import to begin is refused like any other', async () => {
  await withLonelyStore('postgres', async (store) => {
    const lead = await connect(store.address, { agent: 'lead' })
    await lead.send({ to: 'worker', subject: 'before' })
    await withAnother(store.address, async (other) => {
      // What an import does with its first batch.
      await other.query('begin; select pg_advisory_xact_lock(7301, hashtext(current_schema()))')
      await other.query(`insert into settings (name, value) values ('loading', 'yes')`)
      const sending = lead.send({ to: 'worker', subject: 'after' }).catch((error) => error)
      await someoneWaits(store)
      await other.query('commit')
      expect(await sending).toMatchObject({ code: 'store_unusable' })
    })
    expect((await lead.list()).threads).toHaveLength(1)
    await lead.close()
  })
})
