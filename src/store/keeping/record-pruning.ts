// Prunes old rows of records with all their events, and events that were replaced by later ones.

import type { OldRecords } from '../../core/keeping/retention-reads.ts'
import type { AnyRecord, PruneRule, RecordList } from '../../core/record.ts'
import type { Instant } from '../../core/time.ts'
import type { Querier, Write } from '../querier.ts'
import type { QueryName } from '../query-name.gen.ts'
import { columnOf } from '../record-row.ts'
import { recordDelete } from '../record-writes.ts'

const PAGE = 1000

type PrunedRow = AnyRecord & { prune: PruneRule }
export type OldEvent = {
  event_id: number
  event_type: string
  created_at: Instant
  payload_json: string
}
/** A row that may be pruned, the number of its events, and how many of those were found to be old. */
type OldRecordRow = { record: AnyRecord; key: string; events: number; old: OldEvent[] }

export function prunedRecords({ all }: RecordList): PrunedRow[] {
  return all.filter((record): record is PrunedRow => record.prune !== undefined)
}

export function askPrunable(
  querier: Querier,
  { prune }: PrunedRow,
  params: { before: Instant; limit: number; keys: string[] | undefined },
): Promise<{ row_key: string; events: number }[]> {
  return querier.all(prune.query as QueryName, params)
}

/** Takes the lock for changing records, and checks again which of these rows may be pruned. */
export async function lockOld(
  querier: Querier,
  { wanted, before, records }: { wanted: OldRecords; before: Instant; records: RecordList },
): Promise<OldRecordRow[]> {
  const asked = prunedRecords(records).flatMap((record) => {
    const keys = wanted.get(record.table) ?? []
    return keys.length === 0 ? [] : [{ record, keys }]
  })
  if (asked.length === 0) return []
  // An expired token may be revoked at this moment, which adds an event.
  await querier.all('records_lock', {})
  const lists = asked.map(async ({ record, keys }) => {
    const rows = await askPrunable(querier, record, { before, limit: keys.length, keys })
    return rows.map(({ row_key: key, events }) => ({ record, key, events, old: [] }))
  })
  return (await Promise.all(lists)).flat()
}

/** Finds the events of these rows and events that were replaced, and counts the pruned rows by table. */
export async function pruneOld(
  querier: Querier,
  rows: OldRecordRow[],
  { before, records }: { before: Instant; records: RecordList },
): Promise<{ counts: Record<string, number>; events: OldEvent[]; writes: Write[] }> {
  const byKey = new Map(rows.map((row) => [`${row.record.table} ${row.key}`, row]))
  const latest = await readLatest(querier, records)
  const counts = Object.fromEntries(prunedRecords(records).map(({ table }) => [table, 0]))
  const events: OldEvent[] = []
  const types = oldTypes(records)
  for (let after = 0; types.length > 0; ) {
    const params = { after, before, types, limit: PAGE }
    const page = await querier.all<OldEvent>('record_events_old', params)
    for (const event of page) {
      const record = records.byEvent.get(event.event_type)
      const facts = JSON.parse(event.payload_json) as Record<string, string>
      const key = `${record?.table} ${facts[record?.key ?? '']}`
      byKey.get(key)?.old.push(event)
      if (event.created_at < (latest.get(`${event.event_type} ${key}`) ?? '')) events.push(event)
    }
    if (page.length < PAGE) break
    after = page.at(-1)?.event_id ?? after
  }
  // A row is pruned with all of its events or not at all: the remaining ones would replay to a different row.
  const gone = rows.filter((row) => row.old.length === row.events)
  for (const { record, old } of gone) {
    counts[record.table] = (counts[record.table] ?? 0) + 1
    events.push(...old)
  }
  return { counts, events, writes: gone.map(({ record, key }) => recordDelete(record, key)) }
}

function oldTypes(records: RecordList): string[] {
  const pruned: AnyRecord[] = prunedRecords(records)
  return [...records.byEvent].flatMap(([type, record]) =>
    pruned.includes(record) || latestIn(record, type) !== undefined ? [type] : [],
  )
}

function latestIn(record: AnyRecord, type: string): string | undefined {
  const rule = record.events[type]
  return rule !== undefined && 'latestIn' in rule ? rule.latestIn : undefined
}

/** Reads when the latest event of each type that replaces earlier ones occurred, by type, table and key. */
async function readLatest(querier: Querier, records: RecordList): Promise<Map<string, Instant>> {
  const found = new Map<string, Instant>()
  for (const [type, record] of records.byEvent) {
    const field = latestIn(record, type)
    if (field === undefined) continue
    const { table, key } = record
    const at = columnOf(record, field)
    const text = `select ${key} as row_key, ${at} as at from ${table} where ${key} > '' and coalesce(${at}, '') <> ''`
    const rows = await querier.all<{ row_key: string; at: Instant }>(
      { name: `${type}_latest`, text },
      {},
    )
    for (const { row_key, at } of rows) found.set(`${type} ${table} ${row_key}`, at)
  }
  return found
}
