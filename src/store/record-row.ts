// A record as it lies in its row, by the columns that its declaration names.

import type { Column, RecordOf } from '../core/record.ts'
import type { Value } from './compile.ts'

export type StoredRow = Record<string, Value>

function columnOf(field: string, column: Column): string {
  return typeof column === 'object' ? column.json : field
}

export function toRecord<Row>({ columns }: RecordOf<Row>, row: StoredRow): Row {
  const fields = Object.entries<Column>(columns).map(([field, column]) => [
    field,
    fromValue(column, row[columnOf(field, column)] ?? null),
  ])
  return Object.fromEntries(fields) as Row
}

function fromValue(column: Column, value: Value): unknown {
  if (column === 'plain') return value
  if (column === 'flag') return value === 1
  if (column === 'words') return value === '' ? [] : String(value).split(',')
  return JSON.parse(String(value))
}
