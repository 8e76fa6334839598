// Translates between a record and its row. A field's shape decides how its column stores the value: unchanged, a flag
// as a number, a list of names separated by commas, and anything nested as JSON in a column named FIELD_json.

import type { RecordOf } from '../core/record.ts'
import type { Shape } from '../core/shape.ts'
import type { SqlValue } from './compile.ts'

export type StoredRow = Record<string, SqlValue>

type StoredForm = 'plain' | 'flag' | 'names' | 'json'
type Column = { field: string; name: string; form: StoredForm }

/** The columns of each record, computed once. */
const known = new WeakMap<object, readonly Column[]>()

export function columnsOf<Row>({ fields }: RecordOf<Row>): readonly Column[] {
  const before = known.get(fields)
  if (before !== undefined) return before
  const columns = Object.entries<Shape>(fields).map(([field, shape]) => {
    const form = formOf(shape)
    return { field, name: form === 'json' ? `${field}_json` : field, form }
  })
  known.set(fields, columns)
  return columns
}

function formOf(shape: Shape): StoredForm {
  switch (shape.is) {
    case 'flag':
      return 'flag'
    case 'null_or':
    case 'absent_or':
      return formOf(shape.of)
    case 'list':
      return WITHOUT_COMMAS.includes(shape.of.is) ? 'names' : 'json'
    case 'object':
    case 'wake_settings':
      return 'json'
    default:
      return 'plain'
  }
}

const WITHOUT_COMMAS: readonly Shape['is'][] = ['agent', 'person', 'id', 'name', 'choice']

export function columnOf<Row>(record: RecordOf<Row>, field: string): string {
  return columnsOf(record).find((column) => column.field === field)?.name ?? field
}

/** Maps these fields to their columns, in declared order because the text of a query depends on it. */
export function toColumns<Row extends object>(
  record: RecordOf<Row>,
  fields: Partial<Row>,
): StoredRow {
  const given: Record<string, unknown> = { ...fields }
  const stored = columnsOf(record)
    .filter(({ field }) => Object.hasOwn(given, field))
    .map(({ field, name, form }) => [name, toValue(form, given[field])])
  return Object.fromEntries(stored)
}

export function toRecord<Row>(record: RecordOf<Row>, row: StoredRow): Row {
  const fields = columnsOf(record).map(({ field, name, form }) => [
    field,
    fromValue(form, row[name] ?? null),
  ])
  return Object.fromEntries(fields) as Row
}

/** Like `toRecord`, for a row that also has other columns, which are left unchanged. */
export function toItem<Row extends object, More extends StoredRow>(
  record: RecordOf<Row>,
  row: More,
): Row & More {
  const { ...item }: StoredRow = row
  for (const { name } of columnsOf(record)) delete item[name]
  return { ...item, ...toRecord(record, row) } as Row & More
}

function toValue(form: StoredForm, value: unknown): SqlValue {
  if (form === 'plain' || value === null) return value as SqlValue
  if (form === 'flag') return value === true ? 1 : 0
  return form === 'names' ? (value as string[]).join() : JSON.stringify(value)
}

function fromValue(form: StoredForm, value: SqlValue): unknown {
  if (form === 'plain' || value === null) return value
  if (form === 'flag') return value === 1
  if (form === 'names') return value === '' ? [] : String(value).split(',')
  return JSON.parse(String(value))
}
