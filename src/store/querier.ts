// The engine-independent part of the store runs its queries through this. Queries sent without awaiting each other run
// in the order they were sent; on PostgreSQL they share one round trip.

import { PIECE_BYTES } from '../core/page-bytes.ts'
import type { MadeQuery, Params } from './compile.ts'
import type { QueryName } from './query-name.gen.ts'

/** The name of a query from a file, or a query generated from a declaration. */
export type AnyQuery = QueryName | MadeQuery

/** A query that changes rows and returns none. A quiet one isn't news, so waiters aren't notified of it. */
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
 * Reads as many rows with long contents as fit. The query adds up the sizes in order without reading the contents, then
 * joins the contents of the rows that fit. The query doesn't sort again at the end, because that would copy every row;
 * sorting here is free.
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
