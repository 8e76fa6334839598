import type { ClientBase } from 'pg'
import { refuse } from '../../core/error.ts'
import type { Delivery } from '../../core/inbox/delivery.ts'
import { compileMigration, compiler } from '../compile.ts'
import {
  deliveryRebuild,
  deskRebuild,
  needsRebuild,
  OLD_EVENTS,
  OLD_ORDER,
  type OldRow,
} from '../keeping/rebuild.ts'
import { MIGRATIONS } from '../migrations.gen.ts'
import type { PostgresAddress } from './open.ts'
import { QUERIES } from './queries.gen.ts'

const PAGE = 2000

/** Brings the schema up to date. Returns true if it created it. Concurrent calls are safe: they queue on one lock. */
export async function migratePostgres(
  client: ClientBase,
  { schema, place }: PostgresAddress,
  { mustExist }: { mustExist: boolean },
): Promise<boolean> {
  const found = await versionOf(client, schema)
  if (found === MIGRATIONS.length) return false
  if (found === 0 && mustExist) throw refuse.not_found`there is no store at ${place}`
  await client.query('begin')
  await client.query('select pg_advisory_xact_lock(7300, hashtext($1))', [schema])
  const version = await versionOf(client, schema)
  if (version > MIGRATIONS.length) await refuseBreaking(client, place)
  if (version < MIGRATIONS.length) await applyFrom(client, schema, version)
  await client.query('commit')
  return version === 0
}

async function versionOf(client: ClientBase, schema: string): Promise<number> {
  // Reads the catalog's rows, because to_regclass asks a cache, which may not know about a table that another session
  // created while this one waited for the lock.
  const found = await client.query(
    `select c.oid from pg_class c join pg_namespace n on n.oid = c.relnamespace
     where n.nspname = $1 and c.relname = 'migrations'`,
    [schema],
  )
  if (found.rows.length === 0) return 0
  // Fully qualified, because via search_path, a schema that this user may not use looks as if it doesn't exist.
  const { rows } = await client.query(
    `select coalesce(max(number), 0) as number from ${schema}.migrations`,
  )
  return rows[0].number
}

async function applyFrom(client: ClientBase, schema: string, version: number): Promise<void> {
  if (version === 0) {
    await client.query(`create schema if not exists ${schema}`)
    await client.query(
      'create table migrations (number bigint primary key, name text not null, breaking bigint not null)',
    )
  }
  for (const { number, name, breaking, text } of MIGRATIONS.slice(version)) {
    await client.query(compileMigration(text, 'postgres'))
    await client.query('insert into migrations (number, name, breaking) values ($1, $2, $3)', [
      number,
      name,
      breaking ? 1 : 0,
    ])
  }
  if (needsRebuild(version)) await rebuildDeliveries(client)
  for (const { query, params } of deskRebuild(version)) {
    const { sql, values } = compiler('postgres', QUERIES)(query, params)
    await client.query(sql, values)
  }
}

async function refuseBreaking(client: ClientBase, place: string): Promise<void> {
  const { rows } = await client.query(
    'select name from migrations where number > $1 and breaking = 1 order by number',
    [MIGRATIONS.length],
  )
  if (rows.length > 0)
    throw refuse.store_unusable`${place} was made by a newer Mailroom (${rows[0].name}); this one knows up to migration ${MIGRATIONS.length}: upgrade this program`
}

async function rebuildDeliveries(client: ClientBase): Promise<void> {
  await client.query('delete from deliveries')
  const put = async (deliveries: Delivery[]) => {
    if (deliveries.length === 0) return
    await client.query(
      'insert into deliveries select * from json_populate_recordset(null::deliveries, $1)',
      [JSON.stringify(deliveries)],
    )
  }
  const rebuild = deliveryRebuild()
  let last = { thread_id: '', event_id: 0 }
  for (;;) {
    const { rows } = await client.query<OldRow>(
      `${OLD_EVENTS} where (e.thread_id, e.event_id) > ($1, $2) ${OLD_ORDER} limit ${PAGE}`,
      [last.thread_id, last.event_id],
    )
    await put(rows.flatMap((row) => rebuild.add(row)))
    if (rows.length < PAGE) break
    last = rows.at(-1) ?? last
  }
  await put(rebuild.end())
}
