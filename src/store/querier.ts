// The shared part of the store runs named queries on an engine through this. Queries sent without awaiting in between
// run in that order; on PostgreSQL they travel together, in one round trip.

import { PIECE_BYTES } from '../core/page-bytes.ts'
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

export async function count(querier: Querier, query: AnyQuery, params: Params): Promise<number> {
  return (await first(querier.all<{ n: number }>(query, params)))?.n ?? 0
}

export async function readSetting(querier: Querier, name: string): Promise<string | null> {
  return (await first(querier.all<{ value: string }>('setting_get', { name })))?.value ?? null
}

/**
 * Reads as many rows with long texts as fit. The query adds up the sizes in order without reading the texts, then
 * joins the texts of the rows that fit. It doesn't sort again at the end, because that would copy all of them; sorting
 * here is free.
 */
export async function readFittingRows<Row>(
  querier: Querier,
  query: QueryName,
  params: Params,
  order: (a: Row, b: Row) => number,
): Promise<Row[]> {
  const rows = await querier.all<Row>(query, { ...params, bytes: PIECE_BYTES })
  return rows.sort(order)
}

export function inLogOrder<Row extends { event_id: number }>(a: Row, b: Row): number {
  return a.event_id - b.event_id
}
