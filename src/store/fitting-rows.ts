// Rows with long texts, no more of them than there is room for. The query adds up their sizes in their order,
// which costs no look at the texts, and joins the texts of those that fit. It does not sort once more at the
// end: that would copy all of them. Here it costs nothing.

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
