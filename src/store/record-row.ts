// Translates between a record and its row, by the columns that the declaration names.

import type { Column, RecordOf } from '../core/record.ts'
import type { SqlValue } from './compile.ts'

export type StoredRow = Record<string, SqlValue>

export function columnOf(field: string, column: Column): string {
  return typeof column === 'object' ? column.json : field
}

/** Gives these fields of a record by column, in the declared order: the text of a query follows from it. */
export function toColumns<Row extends object>(
  { columns }: RecordOf<Row>,
  fields: Partial<Row>,
): StoredRow {
  const given: Record<string, unknown> = { ...fields }
  const stored = Object.entries<Column>(columns)
    .filter(([field]) => Object.hasOwn(given, field))
    .map(([field, column]) => [columnOf(field, column), toValue(column, given[field])])
  return Object.fromEntries(stored)
}

export function toRecord<Row>({ columns }: RecordOf<Row>, row: StoredRow): Row {
  const fields = Object.entries<Column>(columns).map(([field, column]) => [
    field,
    fromValue(column, row[columnOf(field, column)] ?? null),
  ])
  return Object.fromEntries(fields) as Row
}

function toValue(column: Column, value: unknown): SqlValue {
  if (column === 'plain' || value === null) return value as SqlValue
  if (column === 'flag') return value === true ? 1 : 0
  return column === 'words' ? (value as string[]).join() : JSON.stringify(value)
}

function fromValue(column: Column, value: SqlValue): unknown {
  if (column === 'plain' || value === null) return value
  if (column === 'flag') return value === 1
  if (column === 'words') return value === '' ? [] : String(value).split(',')
  return JSON.parse(String(value))
}
