import { expect } from 'bun:test'
import { readFileSync } from 'node:fs'
import { dumpPostgres, dumpSqlite, SCHEMA_FILES } from '../../scripts/schema.ts'
import { contractUnmade } from './engines.ts'

contractUnmade('a new store has the checked-in schema', async (place) => {
  await place.open()
  const dump = place.engine === 'sqlite' ? dumpSqlite : dumpPostgres
  // If this fails, run `node scripts/bun.mjs scripts/schema.ts` and review what it changed.
  expect(await dump((sql) => place.sql(sql))).toBe(readFileSync(SCHEMA_FILES[place.engine], 'utf8'))
})

contractUnmade(
  'rows cannot lose their parents, and a thread cannot have two messages at one place',
  async (place) => {
    const inbox = await place.connect()
    const { thread } = await inbox.send({ from: 'lead', to: 'worker', subject: 'Build it' })
    const orphan = `insert into messages (message_id, thread_id, seq, from_agent, to_agent, kind,
    summary, created_at) values ('msg_x', ?, ?, 'a', 'b', 'task', 'x', 'now')`
    if (place.engine === 'sqlite') await place.sql('pragma foreign_keys = on')
    await expect(place.sql(orphan, 'thr_none', 1)).rejects.toThrow(/foreign key/i)
    await expect(place.sql(orphan, thread.thread_id, 1)).rejects.toThrow(/unique/i)
    await expect(place.sql('delete from threads')).rejects.toThrow(/foreign key/i)
  },
)
