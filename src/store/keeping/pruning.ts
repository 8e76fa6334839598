// Removes threads and records with everything that belongs to them, and keeps how far the log had come and what time
// it was.

import { KINDS, THREAD_KINDS } from '../../core/kinds.ts'
import type { RecordList } from '../../core/record.ts'
import type { PruneTotals, Tx } from '../../core/store.ts'
import type { Retention } from '../../core/threads/kind.ts'
import { isFinished } from '../../core/threads/thread.ts'
import { type Instant, latest } from '../../core/time.ts'
import { first, type Querier, readSetting, type Write } from '../querier.ts'
import type { QueryName } from '../query-name.gen.ts'
import { recordDeletes } from '../record-writes.ts'
import type { ThreadRow } from '../threads/thread-row.ts'
import { lockOld, pruneOld } from './record-pruning.ts'

// Children before parents: the foreign keys are real.
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
  // The records come first: every writer that changes agents and threads takes its locks in this order.
  const old = await lockOld(querier, { wanted, before, records })
  for (const thread_id of threads) {
    const row = await first(querier.all<ThreadRow>('thread_lock', { thread_id }))
    // The thread is gone, open again, or has something new to read: another writer was faster.
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
  const keys = await first(querier.all<{ n: number }>('keys_count', { before }))
  counts.keys = keys?.n ?? 0
  if (counts.keys > 0) writes.push({ query: 'keys_delete', params: { before } })
  return { counts: { ...counts, ...pruned.counts } as PruneTotals, writes }
}

/** The query that lists a thread if its kind's retention allows removing it. */
const PRUNABLE: Record<Exclude<Retention, 'finished'>, QueryName> = {
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
