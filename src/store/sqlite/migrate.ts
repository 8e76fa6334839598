// Creates a SQLite store, or brings it up to date. Loaded only if the file isn't already current.

import type { DatabaseSync } from 'node:sqlite'
import { field, refuse } from '../../core/error.ts'
import type { Delivery } from '../../core/inbox/delivery.ts'
import { compiler } from '../compile.ts'
import {
  DELIVERY_COLUMNS,
  deliveryRebuild,
  deskRebuild,
  needsRebuild,
  OLD_EVENTS,
  OLD_ORDER,
  type OldRow,
} from '../keeping/rebuild.ts'
import { MIGRATIONS } from '../migrations.gen.ts'
import { APPLICATION_ID } from './connection.ts'
import { QUERIES } from './queries.gen.ts'

/** False for an empty database, where a store can be created. Another program's database is refused. */
export function isStore(db: DatabaseSync, path: string): boolean {
  // Read both in one snapshot: between two reads, another process could create the store.
  db.exec('begin')
  const blank = isBlank(db)
  const { application_id: id } = db.prepare('pragma application_id').get() as {
    application_id: number
  }
  db.exec('commit')
  if (id === APPLICATION_ID) return true
  if (id === 0 && blank) return false
  throw refuse.store_unusable`${path} is a SQLite database of another program; name another file with ${field('db')}`
}

/** True if this call created the store: of several concurrent openers, exactly one gets true. */
export function migrateSqlite(db: DatabaseSync, path: string): boolean {
  // All concurrent callers queue on the write lock here; the first does the work.
  db.exec('begin immediate')
  try {
    const { user_version: schema } = db.prepare('pragma user_version').get() as {
      user_version: number
    }
    if (schema > MIGRATIONS.length) refuseBreaking(db, path, MIGRATIONS.length)
    else if (schema < MIGRATIONS.length) applyFrom(db, schema)
    db.exec('commit')
    return schema === 0
  } catch (error) {
    db.exec('rollback')
    throw error
  }
}

function applyFrom(db: DatabaseSync, schema: number): void {
  if (schema === 0) {
    db.exec(`create table migrations (
      number integer primary key, name text not null, breaking integer not null)`)
  }
  const note = db.prepare('insert into migrations (number, name, breaking) values (?, ?, ?)')
  for (const { number, name, breaking, text } of MIGRATIONS.slice(schema)) {
    db.exec(text)
    note.run(BigInt(number), name, breaking ? 1n : 0n)
  }
  if (needsRebuild(schema)) rebuildDeliveries(db)
  for (const { query, params } of deskRebuild(schema)) {
    const { sql, values } = compiler('sqlite', QUERIES)(query, params)
    db.prepare(sql).run(...values)
  }
  db.exec(`pragma application_id = ${APPLICATION_ID}; pragma user_version = ${MIGRATIONS.length}`)
}

function rebuildDeliveries(db: DatabaseSync): void {
  db.exec('delete from deliveries')
  const places = DELIVERY_COLUMNS.map(() => '?').join(', ')
  const insert = db.prepare(
    `insert into deliveries (${DELIVERY_COLUMNS.join(', ')}) values (${places})`,
  )
  const put = (delivery: Delivery) => {
    const values = DELIVERY_COLUMNS.map((column) => delivery[column])
    insert.run(...values.map((value) => (typeof value === 'number' ? BigInt(value) : value)))
  }
  const rebuild = deliveryRebuild()
  for (const row of db.prepare(`${OLD_EVENTS} ${OLD_ORDER}`).iterate()) {
    for (const delivery of rebuild.add(row as OldRow)) put(delivery)
  }
  for (const delivery of rebuild.end()) put(delivery)
}

function refuseBreaking(db: DatabaseSync, path: string, newest: number): void {
  const row = db
    .prepare('select name from migrations where number > ? and breaking = 1 order by number')
    .get(BigInt(newest)) as { name: string } | undefined
  if (row !== undefined)
    throw refuse.store_unusable`${path} was made by a newer Mailroom (${row.name}); this one knows up to migration ${newest}: upgrade this program`
}

function isBlank(db: DatabaseSync): boolean {
  const { n } = db.prepare('select count(*) as n from sqlite_schema').get() as { n: number }
  return n === 0
}
