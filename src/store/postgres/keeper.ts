import type { Pool, PoolClient } from 'pg'
import { operation, refuse } from '../../core/error.ts'
import type { Finding } from '../../core/keeping/keeper.ts'
import type { EngineKeeper } from '../keeping/keeper.ts'
import type { Write } from '../querier.ts'
import { LOG_LOCK } from './connection.ts'
import { isRetryable, postgresRefusal } from './errors.ts'
import type { PostgresAddress } from './open.ts'

const TRIES = 4
const LAST_EVENT: Write = { query: 'event_last', params: {} }
const RAISE_NEXT = `select setval(pg_get_serial_sequence('events', 'event_id'), greatest(1, $1,
  (select coalesce(max(event_id), 0) from events)))`

export function postgresKeeper(
  pool: Pool,
  { place, schema }: PostgresAddress,
  run: (client: PoolClient, write: Write) => Promise<unknown>,
): EngineKeeper {
  const ask = async (text: string, values: unknown[] = []) => {
    try {
      return (await pool.query(text, values)).rows as Record<string, unknown>[]
    } catch (error) {
      throw postgresRefusal(error, place)
    }
  }
  const transact = async (work: (client: PoolClient) => Promise<boolean>): Promise<boolean> => {
    for (let tries = 1; ; tries++) {
      const client = await pool.connect()
      try {
        await client.query('begin')
        const isDone = await work(client)
        await client.query(isDone ? 'commit' : 'rollback')
        client.release()
        return isDone
      } catch (error) {
        client.release(true)
        // This can be a deadlock: a writer that has locked rows waits for the log's lock, and the holder of that lock
        // may be waiting for those rows.
        if (!isRetryable(error) || tries === TRIES) throw postgresRefusal(error, place)
      }
    }
  }
  return {
    // There's nothing to do, because the server rewrites its log on its own schedule.
    forgetRemoved: async () => true,

    async batch(writes) {
      await transact(async (client) => {
        await Promise.all(writes.map((write) => run(client, write)))
        return true
      })
    },

    batchAt: ({ endsAt, past }, writes) =>
      transact(async (client) => {
        await client.query(LOG_LOCK)
        const [last] = (await run(client, LAST_EVENT)) as { event_id: number }[]
        if (last?.event_id !== endsAt) return false
        await Promise.all(writes.map((write) => run(client, write)))
        if (past !== undefined) await client.query(RAISE_NEXT, [past])
        return true
      }),

    async backup() {
      throw refuse.invalid_input`${place} is backed up with PostgreSQL's own tools: pg_dump --schema=${schema}; or use ${operation('export')}`
    },

    async inspect() {
      const findings: Finding[] = []
      const [settings] = await ask(
        `select version() as version, current_setting('fsync') as fsync,
         current_setting('synchronous_commit') as synchronous_commit,
         current_setting('full_page_writes') as full_page_writes`,
      )
      findings.push({
        check: 'durability',
        ok: settings?.fsync === 'on' && settings.synchronous_commit !== 'off',
        detail: `${String(settings?.version).split(' on ')[0]}, fsync ${settings?.fsync}, synchronous_commit ${settings?.synchronous_commit}`,
        remedy: 'set fsync and synchronous_commit to on in postgresql.conf',
      })
      const [oldest] = await ask(
        `select coalesce(max(extract(epoch from clock_timestamp() - xact_start)), 0)::int as seconds
         from pg_stat_activity where datname = current_database() and state <> 'idle'`,
      )
      const seconds = Number(oldest?.seconds ?? 0)
      findings.push({
        check: 'transactions',
        ok: seconds < 300,
        detail: `the oldest open transaction is ${seconds} s old`,
        warning: true,
        remedy: 'an open transaction keeps dead rows from being cleaned up; end that session',
      })
      return findings
    },
  }
}
