// The rows of a record, a page at a time.

import type { Column, RecordOf } from '../core/record.ts'
import type { MadeQuery } from './compile.ts'
import { columnOf, type StoredRow, toRecord } from './record-row.ts'
import type { Session } from './session.ts'

export async function recordsPage<Row>(
  session: Session,
  record: RecordOf<Row>,
  page: { after: string; limit: number; upto: string | undefined },
): Promise<Row[]> {
  const rows = await session.all<StoredRow>(pageQuery(record), page)
  return rows.map((row) => toRecord(record, row))
}

export function pageQuery<Row>({ table, key, columns }: RecordOf<Row>): MadeQuery {
  const names = Object.entries<Column>(columns).map(([field, column]) => columnOf(field, column))
  const text = [
    `select ${names.join(', ')} from ${table} where ${key} > :after`,
    `and ${key} <= :upto -- if :upto`,
    `order by ${key} limit :limit`,
  ]
  return { name: `${table}_page`, text: text.join('\n') }
}
