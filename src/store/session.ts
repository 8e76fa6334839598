// What the shared half of the store needs from an engine: run a named query, get its rows. Queries
// issued without awaiting in between run in that order; on PostgreSQL they travel together, in one
// round trip.

import type { MadeQuery, Params } from './compile.ts'
import type { QueryName } from './query-name.gen.ts'

/** A query out of a file, by its name; or one that was made from a declaration. */
export type AnyQuery = QueryName | MadeQuery

/** A query that changes rows and whose own are not asked for. */
export type Write = { query: AnyQuery; params: Params }

export interface Session {
  all<Row>(query: AnyQuery, params: Params): Promise<Row[]>
}

export async function first<Row>(rows: Promise<Row[]>): Promise<Row | null> {
  return (await rows)[0] ?? null
}

export async function readSetting(session: Session, name: string): Promise<string | null> {
  return (await first(session.all<{ value: string }>('setting_get', { name })))?.value ?? null
}
