// Reads as many rows with long texts as fit. The query adds up the sizes in order without reading the texts, then
// joins the texts of the rows that fit. It doesn't sort again at the end, because that would copy all of them;
// sorting here is free.

import { PIECE_BYTES } from '../core/page-bytes.ts'
import type { Params } from './compile.ts'

type NamedQuerier<Name> = { all<Row>(query: Name, params: Params): Promise<Row[]> }

export async function readFittingRows<Name, Row>(
  querier: NamedQuerier<Name>,
  query: Name,
  params: Params,
  order: (a: Row, b: Row) => number,
): Promise<Row[]> {
  const rows = await querier.all<Row>(query, { ...params, bytes: PIECE_BYTES })
  return rows.sort(order)
}

export function inLogOrder<Row extends { event_id: number }>(a: Row, b: Row): number {
  return a.event_id - b.event_id
}
