// The PostgreSQL server that tests share. The test command starts it and passes its address. A test that is run alone
// needs the address too and fails without it, because a suite that skips an engine proves nothing.

import { randomBytes } from 'node:crypto'

export function serverUrl(): string {
  const url = process.env.MAILROOM_TEST_PG
  if (url) return url
  throw new Error('MAILROOM_TEST_PG is not set: run the suite with `npm test -- SUITE`')
}

export type Schema = { address: string; name: string }

/** The address of a PostgreSQL store that does not exist yet, in a new schema. */
export function freshSchema(database: string = serverUrl()): Schema {
  const name = `world_${randomBytes(8).toString('hex')}`
  const url = new URL(database)
  url.searchParams.set('schema', name)
  return { address: url.href, name }
}
