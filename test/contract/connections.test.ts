// Connections are the first thing that PostgreSQL servers run out of.

import { expect, test } from 'bun:test'
import { Client } from 'pg'
import { openMailroom } from '../../src/bin/compose.ts'
import type { Store } from '../../src/core/store.ts'
import { connect } from '../../src/index.ts'
import { call } from '../../src/ops/call.ts'
import { loadOperation } from '../../src/ops/catalogue.ts'
import { freshDatabase } from '../tools/postgres.ts'
import { serverUrl } from '../worlds/server.ts'
import { until } from '../worlds/world.ts'

type Witness = { connections(): Promise<number>; listeners(): Promise<number> }

/** Provides a separate database, and a client that counts the other connections to it. */
async function withDatabase(
  prove: (url: string, witness: Witness) => Promise<void>,
): Promise<void> {
  const database = await freshDatabase(serverUrl())
  const client = new Client({ connectionString: database.url })
  await client.connect()
  const count = async (which: string) => {
    const { rows } = await client.query(
      `select count(*)::int as n from pg_stat_activity
       where datname = current_database() and pid <> pg_backend_pid()
         and backend_type = 'client backend' and ${which}`,
    )
    return rows[0].n as number
  }
  try {
    await prove(database.url, {
      connections: () => count('true'),
      listeners: () => count("query = 'listen mailroom'"),
    })
  } finally {
    await client.end()
    await database.drop()
  }
}

test('a call with several queries uses one connection', () =>
  withDatabase(async (url, witness) => {
    const inbox = await connect(url, { agent: 'worker' })
    const { thread } = await inbox.send({ from: 'lead', to: 'worker', subject: 'one' })
    await inbox.show({ thread: thread.thread_id })
    await inbox.list({})
    await inbox.fetch({})
    expect(await witness.connections()).toBe(1)
    await inbox.close()
  }))

test('a woken reader queries its mail and stop messages once, on one connection', () =>
  withDatabase(async (url, witness) => {
    const inbox = await connect(url, { agent: 'lead' })
    await inbox.agentRegister({ agent: 'worker', role: 'builder' })
    const room = await openMailroom(url)
    const asked = { mail: 0, stop: 0 }
    const store: Store = {
      ...room.store,
      inbox(filter) {
        if (filter.recipient === 'worker') asked.mail += 1
        return room.store.inbox(filter)
      },
      stopFor(recipient) {
        asked.stop += 1
        return room.store.stopFor(recipient)
      },
    }
    const { signal } = new AbortController()
    const op = await loadOperation('mail read')
    const raw = { timeout_seconds: 240 }
    const reading = call({ ...room, store }, { op, raw, agent: 'worker', door: 'library', signal })
    await until(async () => (await witness.listeners()) === 1, 'the wait')
    await inbox.mailSend({ to: 'worker', body: 'Hello' })
    expect((await reading).result).toHaveProperty('unread', 1)
    expect(asked.stop).toBe(asked.mail)
    // One each for the sender, the reader and the listener.
    expect(await witness.connections()).toBe(3)
    await inbox.close()
    await room.close()
  }))

test('a process with many waits listens once and rings all of them', () =>
  withDatabase(async (url, witness) => {
    const waiting = await openMailroom(url)
    const ringing = await openMailroom(url)
    const rings = Array.from({ length: 20 }, () => Promise.withResolvers<void>())
    await Promise.all(rings.map(({ resolve }) => waiting.bell.arm(resolve)))
    expect(await witness.listeners()).toBe(1)
    ringing.bell.ring()
    await Promise.all(rings.map(({ promise }) => promise))
    await ringing.close()
    await waiting.close()
  }))
