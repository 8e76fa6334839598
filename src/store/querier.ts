// The shared part of the store runs named queries on an engine through this. Queries sent without awaiting in between
// run in that order; on PostgreSQL they travel together, in one round trip.

import type { MadeQuery, Params } from './compile.ts'
import type { QueryName } from './query-name.gen.ts'

/** A query from a file, by its name, or one that was made from a declaration. */
export type AnyQuery = QueryName | MadeQuery

/** A query that changes rows and returns none. No one waits for a quiet one. */
export type Write = { query: AnyQuery; params: Params; quiet?: true | undefined }

export interface Querier {
  all<Row>(query: AnyQuery, params: Params): Promise<Row[]>
}

export async function first<Row>(rows: Promise<Row[]>): Promise<Row | null> {
  return (await rows)[0] ?? null
}

export async function readSetting(querier: Querier, name: string): Promise<string | null> {
  return (await first(querier.all<{ value: string }>('setting_get', { name })))?.value ?? null
}
