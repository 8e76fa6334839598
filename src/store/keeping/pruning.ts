// Removes threads and records along with everything that belongs to them, and records how far the log had gotten and
// what time it was.

import type { OldRecords } from '../../core/keeping/retention-reads.ts'
import { KINDS, THREAD_KINDS } from '../../core/kinds.ts'
import type { AnyRecord, PruneRule, RecordList } from '../../core/record.ts'
import type { PruneTotals, Tx } from '../../core/store.ts'
import type { Retention } from '../../core/threads/kind.ts'
import { isFinished } from '../../core/threads/thread.ts'
import { type Instant, latest } from '../../core/time.ts'
import { count, first, type Querier, readSetting, type Write } from '../querier.ts'
import type { QueryName } from '../query-name.gen.ts'
import { columnOf } from '../record-row.ts'
import { recordDelete, recordDeletes } from '../record-writes.ts'
import type { ThreadRow } from '../threads/thread-row.ts'

// Children before parents, because foreign keys are enforced.
const THREAD_DELETES = [
  'desk_forget',
  'read_marks_delete',
  'artifacts_delete',
  'deliveries_delete',
  'lease_delete',
  'events_delete',
  'messages_delete',
  'thread_delete',
] as const

export async function planPruning(
  querier: Querier,
  { threads, records: wanted, before, upto = Number.POSITIVE_INFINITY }: Parameters<Tx['prune']>[0],
  records: RecordList,
): Promise<{ counts: PruneTotals; writes: Write[] }> {
  const writes: Write[] = []
  const none = { threads: 0, messages: 0 }
  const kinds = Object.fromEntries(
    THREAD_KINDS.map((kind) => [kind, { ...none }]),
  ) as PruneTotals['kinds']
  const counts = { ...none, events: 0, keys: 0, kinds }
  const end = {
    floor: Number((await readSetting(querier, 'event_floor')) ?? 0),
    clock: (await readSetting(querier, 'clock_floor')) ?? '',
  }
  const removed = (event_id: number, at: Instant) => {
    end.floor = Math.max(end.floor, event_id)
    end.clock = latest(end.clock, at)
  }
  // Lock the records first, as every writer that changes agents and threads does.
  const old = await lockOld(querier, { wanted, before, records })
  for (const thread_id of threads) {
    const row = await first(querier.all<ThreadRow>('thread_lock', { thread_id }))
    // Another writer was faster: the thread is gone, was reopened, or has something new to read.
    if (row === null || !(await mayGo(querier, row))) continue
    const last = await first(
      querier.all<{ event_id: number; n: number; at: Instant }>('events_last_of_thread', {
        thread_id,
      }),
    )
    if ((last?.event_id ?? 0) > upto) continue
    removed(last?.event_id ?? 0, latest(row.updated_at, last?.at ?? ''))
    counts.threads += 1
    counts.messages += row.message_count
    kinds[row.kind].threads += 1
    kinds[row.kind].messages += row.message_count
    counts.events += last?.n ?? 0
    writes.push(...recordDeletes(thread_id, records))
    for (const query of THREAD_DELETES) writes.push({ query, params: { thread_id } })
  }
  const pruned = await pruneOld(querier, old, { before, records })
  writes.push(...pruned.writes)
  for (const { event_id, created_at } of pruned.events) {
    removed(event_id, created_at)
    writes.push({ query: 'event_delete', params: { event_id } })
  }
  counts.events += pruned.events.length
  if (counts.events > 0) {
    writes.push(
      { query: 'setting_put', params: { name: 'event_floor', value: String(end.floor) } },
      { query: 'setting_put', params: { name: 'clock_floor', value: end.clock } },
    )
  }
  counts.keys = await count(querier, 'keys_count', { before })
  if (counts.keys > 0) writes.push({ query: 'keys_delete', params: { before } })
  return { counts: { ...counts, ...pruned.counts } as PruneTotals, writes }
}

export const PRUNABLE: Record<Exclude<Retention, 'finished'>, QueryName> = {
  handled: 'mail_prunable',
  trashed: 'pushes_prunable',
  resolved: 'requests_prunable',
  left: 'channels_prunable',
  outlived: 'revisions_prunable',
}

/** Whether a thread may still be removed; its age was checked before. */
async function mayGo(querier: Querier, row: ThreadRow): Promise<boolean> {
  const { retention } = KINDS[row.kind]
  if (retention === 'finished') return isFinished(row)
  const params = { thread_id: row.thread_id, before: '9999', limit: 1 }
  return (await querier.all(PRUNABLE[retention], params)).length > 0
}

const PAGE = 1000

type PrunedRow = AnyRecord & { prune: PruneRule }
export type OldEvent = {
  event_id: number
  event_type: string
  created_at: Instant
  payload_json: string
}
/** A row that may be pruned, its number of events, and which of them are old. */
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
async function lockOld(
  querier: Querier,
  { wanted, before, records }: { wanted: OldRecords; before: Instant; records: RecordList },
): Promise<OldRecordRow[]> {
  const asked = prunedRecords(records).flatMap((record) => {
    const keys = wanted.get(record.table) ?? []
    return keys.length === 0 ? [] : [{ record, keys }]
  })
  if (asked.length === 0) return []
  // Lock before checking: an expired token may be revoked at this moment, which adds an event.
  await querier.all('records_lock', {})
  const lists = asked.map(async ({ record, keys }) => {
    const rows = await askPrunable(querier, record, { before, limit: keys.length, keys })
    return rows.map(({ row_key: key, events }) => ({ record, key, events, old: [] }))
  })
  return (await Promise.all(lists)).flat()
}

/** Finds the events of these rows and events that were replaced, and counts the pruned rows by table. */
async function pruneOld(
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

/** For each event type that replaces earlier events, reads when the latest one occurred, by type, table and key. */
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
