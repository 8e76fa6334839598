// Parses the address of a PostgreSQL store, and fixes the settings of its connections.
// A store is one schema. Every connection is bound to it by search_path when it's created, so queries don't name the
// schema and can't reach another store. There is one pool per store, and nothing is ever SET.

import { type ClientConfig, types } from 'pg'
import { field, quote, refuse } from '../../core/error.ts'

export type PostgresAddress = { config: ClientConfig; schema: string; place: string }

const DEFAULT_SCHEMA = 'mailroom'
const INT8 = 20

// Parameters that an address can have besides the schema. `options` isn't allowed because it binds the connection to
// its schema, nor is `dbname`, because the client library ignores it: the database is in the path.
const PARAMETERS = [
  'host',
  'port',
  'user',
  'password',
  'ssl',
  'sslmode',
  'sslcert',
  'sslkey',
  'sslrootcert',
  'sslnegotiation',
  'uselibpqcompat',
  'channel_binding',
  'application_name',
  'connect_timeout',
]

// A client that stops mid-transaction must not keep its row locks. Every query here reads a few rows through an index.
// Parallel workers, compiled plans and full table scans don't help, but statistics from when a table was empty would
// make PostgreSQL choose them for a single row. The plan is the same for all values, so it's made once; otherwise, on a
// large store, PostgreSQL would plan every call again.
const SETTINGS = {
  idle_in_transaction_session_timeout: '10000',
  max_parallel_workers_per_gather: '0',
  jit: 'off',
  enable_seqscan: 'off',
  plan_cache_mode: 'force_generic_plan',
}

function settings(own: Record<string, string>): string {
  return Object.entries({ ...SETTINGS, ...own })
    .map(([name, value]) => `-c ${name}=${value}`)
    .join(' ')
}

export function parseAddress(url: string): PostgresAddress {
  let parsed: URL
  try {
    parsed = new URL(url)
  } catch {
    throw refuse.invalid_input`${field('db')} is not a PostgreSQL address; write postgres://user@host/name`
  }
  const schema = parsed.searchParams.get('schema') ?? DEFAULT_SCHEMA
  if (!/^[a-z_][a-z0-9_]{0,62}$/.test(schema))
    throw refuse.invalid_input`schema ${JSON.stringify(schema)} in ${field('db')} must be lower-case letters, digits and _`
  if (/^pg_|^information_schema$/.test(schema))
    throw refuse.invalid_input`schema ${JSON.stringify(schema)} in ${field('db')} is reserved by PostgreSQL; choose another name`
  parsed.searchParams.delete('schema')
  // The client library silently accepts any parameter: a typo in ?schema= would open another store.
  for (const name of parsed.searchParams.keys()) {
    if (PARAMETERS.includes(name)) continue
    throw refuse.invalid_input`${field('db')} has an unknown parameter ${quote(name)}; known: schema, ${PARAMETERS.join(', ')}`
  }
  const place = `postgres://${parsed.host}${parsed.pathname}?schema=${schema}`
  const config: ClientConfig = {
    connectionString: parsed.href,
    options: settings({ search_path: schema }),
    application_name: 'mailroom',
    connectionTimeoutMillis: 5000,
    keepAlive: true,
    pipeline: true,
    types: {
      // int8 arrives as text by default, but our ids and counts fit in a number.
      getTypeParser: (oid: number, format?: 'text' | 'binary') =>
        oid === INT8 ? Number : types.getTypeParser(oid, format as 'text'),
    },
  } as ClientConfig
  return { config, schema, place }
}
