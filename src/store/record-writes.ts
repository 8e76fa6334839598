// Writes a record's row for an event: an insert, or an update of only the fields the event names. No row is read first
// (src/core/record.ts, (2)).

import type { StoreEvent, ThreadEvent } from '../core/event.ts'
import { type AnyRecord, fillRow, keyOf, type RecordList } from '../core/record.ts'
import type { Write } from './querier.ts'
import { columnOf, toColumns } from './record-row.ts'

export function recordWrites(event: StoreEvent | ThreadEvent, { byEvent }: RecordList): Write[] {
  const { facts, agent, at } = event
  const record = byEvent.get(facts.type)
  if (record === undefined) return []
  const { type } = facts
  const by = { agent, at, thread_id: 'thread_id' in event ? event.thread_id : '' }
  const rule = record.events[type]
  if (rule === undefined) throw new Error(`${record.table} has no ${type}`)
  if ('makes' in rule) {
    const params = toColumns(record, fillRow(record, rule.makes(facts, by)))
    return [{ query: { name: type, text: insertion(record, params, rule.keeps) }, params }]
  }
  const changed = toColumns(record, rule.changes(facts, by))
  const text = update(record, Object.keys(changed))
  const params = { ...changed, [record.key]: keyOf(record, facts, by) }
  return [{ query: { name: type, text }, params }]
}

export function recordDeletes(threadId: string, { all }: RecordList): Write[] {
  const own = all.filter(({ kind }) => kind !== undefined)
  return own.map((record) => recordDelete(record, threadId))
}

export function recordDelete({ table, key }: AnyRecord, value: string): Write {
  const text = `delete from ${table} where ${key} = :${key}`
  return { query: { name: `${table}_delete`, text }, params: { [key]: value } }
}

function insertion(record: AnyRecord, row: object, keeps: readonly string[] | undefined): string {
  const { table, key } = record
  const names = Object.keys(row)
  const values = names.map((name) => `:${name}`).join(', ')
  const insert = `insert into ${table} (${names.join(', ')}) values (${values})`
  if (keeps === undefined) return insert
  const kept = [key, ...keeps].map((field) => columnOf(record, field))
  const set = names.filter((name) => !kept.includes(name)).map((one) => `${one} = excluded.${one}`)
  const then = set.length === 0 ? 'nothing' : `update set ${set.join(', ')}`
  return `${insert} on conflict (${key}) do ${then}`
}

function update({ table, key }: AnyRecord, names: string[]): string {
  const set = names.map((name) => `${name} = :${name}`).join(', ')
  return `update ${table} set ${set} where ${key} = :${key}`
}
