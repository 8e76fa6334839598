// What the shared half of the store needs from an engine: run a named query, get its rows. Queries
// issued without awaiting in between run in that order; on PostgreSQL they travel together, in one
// round trip.

import type { Params } from './compile.ts'
import type { QueryName, SeldomQueryName } from './query-name.gen.ts'

export interface Session {
  all<Row>(query: QueryName, params: Params): Promise<Row[]>
}

/**
 * Outside a transaction. Only here may the queries be asked that few commands need: SQLite loads them
 * when the first is asked, and a transaction there may wait for nothing but the database.
 */
export interface StoreSession {
  all<Row>(query: QueryName | SeldomQueryName, params: Params): Promise<Row[]>
}

export async function first<Row>(rows: Promise<Row[]>): Promise<Row | null> {
  return (await rows)[0] ?? null
}
