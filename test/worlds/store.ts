// A store for one test: a fresh address, control over the store's clock, and access to the tables for tests that
// look behind the operations or tamper with them.

import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync, type SQLInputValue } from 'node:sqlite'
import { Client, types } from 'pg'
import './home.ts'
import { freshSchema, type Schema, serverUrl } from './server.ts'

export type Engine = 'sqlite' | 'postgres'
export type Row = Record<string, unknown>

export type TestStore = {
  engine: Engine
  address: string
  /** A folder for this store, and the working folder of programs that use it. */
  folder: string
  /** Runs one statement, with ? for parameters on both engines. */
  sql(text: string, ...params: (string | number | null)[]): Promise<Row[]>
  clock: Clock
  /** Records that a program may still write here after the test, so no other test may reuse this store. */
  spoil?(): void
  remove(): Promise<void>
}

export type Clock = {
  set(at: string): Promise<void>
  advance(seconds: number): Promise<string>
  now(): string
}

export const DAWN = '2026-03-01T08:00:00.000Z'

/** `database` is a PostgreSQL database other than the server's first, such as one with a language's sort order. */
export async function freshStore(engine: Engine, database?: string): Promise<TestStore> {
  const folder = await freshFolder()
  const raw =
    engine === 'sqlite' ? sqliteSide(join(folder, 'store.db')) : postgresSide(freshSchema(database))
  return storeIn(folder, engine, raw)
}

/**
 * An existing, empty PostgreSQL store. A short test would spend most of its time creating and dropping tables and
 * indexes, so a schema that was given back is emptied and reused.
 */
export async function emptiedStore(
  make: (address: string) => Promise<void>,
  database: string = serverUrl(),
): Promise<TestStore> {
  const raw = sparesIn(database).pop() ?? (await madeSide(make, database))
  let isSpoilt = false
  const side: Side = {
    ...raw,
    async sql(text, ...params) {
      if (/^\s*(create|alter|drop)\b/i.test(text)) isSpoilt = true
      return raw.sql(text, ...params)
    },
    async remove() {
      if (isSpoilt) return raw.remove()
      await raw.empty()
      sparesIn(database).push(raw)
    },
  }
  const spoil = () => {
    isSpoilt = true
  }
  return { ...storeIn(await freshFolder(), 'postgres', side), spoil }
}

/** The schemas that tests gave back, by database, each with the connection that emptied it. */
const spares = new Map<string, PostgresSide[]>()

function sparesIn(database: string): PostgresSide[] {
  const known = spares.get(database) ?? []
  spares.set(database, known)
  return known
}

async function madeSide(
  make: (address: string) => Promise<void>,
  database: string,
): Promise<PostgresSide> {
  const schema = freshSchema(database)
  await make(schema.address)
  return postgresSide(schema)
}

function freshFolder(): Promise<string> {
  return mkdtemp(join(tmpdir(), 'mailroom-world-'))
}

function storeIn(folder: string, engine: Engine, raw: Side): TestStore {
  return {
    engine,
    address: raw.address,
    folder,
    sql: raw.sql,
    clock: makeClock(raw.sql),
    async remove() {
      await raw.remove()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

function makeClock(sql: TestStore['sql']): Clock {
  let at = DAWN
  const set = async (to: string) => {
    at = new Date(to).toISOString()
    await sql(
      `insert into settings (name, value) values ('clock', ?)
       on conflict (name) do update set value = excluded.value`,
      at,
    )
  }
  return {
    set,
    now: () => at,
    async advance(seconds) {
      await set(new Date(Date.parse(at) + seconds * 1000).toISOString())
      return at
    },
  }
}

const INT8 = 20

type Side = Pick<TestStore, 'address' | 'sql' | 'remove'>

function sqliteSide(path: string): Side {
  let db: DatabaseSync | undefined
  return {
    address: path,
    async sql(text, ...params) {
      // Opened once the store exists, and through SQLite: opening the file itself would drop its locks.
      db ??= new DatabaseSync(path, { timeout: 5000 })
      // SQLite would bind a plain number as a REAL.
      const values = params.map(
        (value): SQLInputValue => (typeof value === 'number' ? BigInt(value) : value),
      )
      return db.prepare(text).all(...values) as Row[]
    },
    async remove() {
      db?.close()
    },
  }
}

type PostgresSide = Side & { empty(): Promise<void> }

function postgresSide(schema: Schema): PostgresSide {
  const url = new URL(schema.address)
  url.searchParams.delete('schema')
  let opening: Promise<Client> | undefined
  let emptying: string | undefined
  const open = async () => {
    const client = new Client({
      connectionString: url.href,
      options: `-c search_path=${schema.name}`,
      types: {
        // Returns counts and ids as numbers, so that a test is the same for both engines.
        getTypeParser: (oid: number, format?: 'text' | 'binary') =>
          oid === INT8 ? Number : types.getTypeParser(oid, format as 'text'),
      },
    })
    await client.connect()
    return client
  }
  return {
    address: schema.address,
    async sql(text, ...params) {
      opening ??= open()
      let n = 0
      const { rows } = await (await opening).query(
        text.replaceAll('?', () => `$${++n}`),
        params,
      )
      return rows as Row[]
    },
    /** Resets the schema to its initial state, ignoring foreign keys and triggers. */
    async empty() {
      opening ??= open()
      const client = await opening
      emptying ??= await statementsToEmpty(client, schema.name)
      await client.query(emptying)
    },
    async remove() {
      const client = await (opening ?? open())
      await client.query(`drop schema if exists ${schema.name} cascade`)
      await client.end()
    },
  }
}

async function statementsToEmpty(client: Client, schema: string): Promise<string> {
  const { rows } = await client.query(
    `select format('delete from %I', tablename) as statement
     from pg_tables where schemaname = $1 and tablename <> 'migrations'
     union all
     select format('alter sequence %I restart', sequencename)
     from pg_sequences where schemaname = $1`,
    [schema],
  )
  const statements = rows.map(({ statement }) => statement).join(';')
  return `begin; set local session_replication_role = replica; ${statements}; commit`
}
