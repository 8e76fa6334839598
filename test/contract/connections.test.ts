// Connections are what a PostgreSQL server runs out of first.

import { expect, test } from 'bun:test'
import { Client } from 'pg'
import { openMailroom } from '../../src/bin/compose.ts'
import { connect } from '../../src/index.ts'
import { freshDatabase } from '../tools/postgres.ts'
import { serverUrl } from '../worlds/server.ts'

type Witness = { connections(): Promise<number>; listeners(): Promise<number> }

/** A database of its own, and somebody who counts the others' connections to it. */
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

test('a call that needs several answers takes one connection', () =>
  withDatabase(async (url, witness) => {
    const inbox = await connect(url, { agent: 'worker' })
    const { thread } = await inbox.send({ from: 'lead', to: 'worker', subject: 'one' })
    await inbox.show({ thread: thread.thread_id })
    await inbox.list({})
    await inbox.fetch({})
    expect(await witness.connections()).toBe(1)
    await inbox.close()
  }))

test('however many wait in one process, it listens once, and all are rung', () =>
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
