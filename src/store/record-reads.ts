import type { RecordOf, RecordReads } from '../core/record.ts'
import type { MadeQuery, Params } from './compile.ts'
import { type AnyQuery, first, type Querier } from './querier.ts'
import { columnsOf, type StoredRow, toRecord } from './record-row.ts'

export function makeRecordReads(querier: Querier): RecordReads {
  return {
    rowOf: (record, key) => first(readRecords(querier, record, rowQuery(record), { key })),
  }
}

export async function readRecords<Row>(
  querier: Querier,
  record: RecordOf<Row>,
  query: AnyQuery,
  params: Params,
): Promise<Row[]> {
  const rows = await querier.all<StoredRow>(query, params)
  return rows.map((row) => toRecord(record, row))
}

/** Reads a row and keeps other transactions from changing it until this one ends. */
export function lockRow<Row>(
  querier: Querier,
  record: RecordOf<Row>,
  key: string,
): Promise<Row | null> {
  const { name, text } = rowQuery(record)
  const query = { name: `${name}_lock`, text: `${text} /*pg for update */` }
  return first(readRecords(querier, record, query, { key }))
}

export function recordsPage<Row>(
  querier: Querier,
  record: RecordOf<Row>,
  page: { after: string; limit: number; upto: string | undefined },
): Promise<Row[]> {
  return readRecords(querier, record, pageQuery(record), page)
}

export function rowQuery<Row>(record: RecordOf<Row>): MadeQuery {
  const text = `${selection(record)} where ${record.key} = :key`
  return { name: `${record.one.replaceAll(' ', '_')}_row`, text }
}

export function pageQuery<Row>(record: RecordOf<Row>): MadeQuery {
  const { table, key } = record
  const text = [
    `${selection(record)} where ${key} > :after`,
    `and ${key} <= :upto -- if :upto`,
    `order by ${key} limit :limit`,
  ]
  return { name: `${table}_page`, text: text.join('\n') }
}

function selection<Row>(record: RecordOf<Row>): string {
  const names = columnsOf(record).map(({ name }) => name)
  return `select ${names.join(', ')} from ${record.table}`
}
