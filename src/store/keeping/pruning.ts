// What goes with a thread, a wake or a token that is removed, and what must be kept of it: how far the log had
// come, and what time it was.

import { KINDS, THREAD_KINDS } from '../../core/kinds.ts'
import type { RecordList } from '../../core/record.ts'
import type { Pruned, Tx } from '../../core/store.ts'
import type { Retention } from '../../core/threads/kind.ts'
import { isFinished } from '../../core/threads/thread.ts'
import { type Instant, latest } from '../../core/time.ts'
import type { Params } from '../compile.ts'
import type { QueryName } from '../query-name.gen.ts'
import { recordDeletes } from '../record-writes.ts'
import { first, readSetting, type Session, type Write } from '../session.ts'
import type { ThreadRow } from '../threads/thread-row.ts'

// Children before parents: the foreign keys are real.
const THREAD_DELETES = [
  'read_marks_delete',
  'artifacts_delete',
  'deliveries_delete',
  'lease_delete',
  'events_delete',
  'messages_delete',
  'thread_delete',
] as const

const PAGE = 1000

export async function pruning(
  session: Session,
  { threads, wakes, tokens, before }: Parameters<Tx['prune']>[0],
  records: RecordList,
): Promise<{ counts: Pruned; writes: Write[] }> {
  const writes: Write[] = []
  const none = { threads: 0, messages: 0 }
  const kinds = Object.fromEntries(
    THREAD_KINDS.map((kind) => [kind, { ...none }]),
  ) as Pruned['kinds']
  const counts: Pruned = { ...none, events: 0, keys: 0, wakes: 0, tokens: 0, kinds }
  const end = {
    floor: Number((await readSetting(session, 'event_floor')) ?? 0),
    clock: (await readSetting(session, 'clock_floor')) ?? '',
  }
  const removed = (event_id: number, at: Instant) => {
    end.floor = Math.max(end.floor, event_id)
    end.clock = latest(end.clock, at)
  }
  // First: who changes agents and threads takes its locks in this order.
  const ended = await endedTokens(session, tokens, before)
  for (const thread_id of threads) {
    const row = await first(session.all<ThreadRow>('thread_lock', { thread_id }))
    // Gone, open again, or with something new to read: whoever was faster decides.
    if (row === null || !(await MAY_GO[KINDS[row.kind].retention](session, row))) continue
    const last = await first(
      session.all<{ event_id: number; n: number; at: Instant }>('events_last_of_thread', {
        thread_id,
      }),
    )
    removed(last?.event_id ?? 0, latest(row.updated_at, last?.at ?? ''))
    counts.threads += 1
    counts.messages += row.message_count
    kinds[row.kind].threads += 1
    kinds[row.kind].messages += row.message_count
    counts.events += last?.n ?? 0
    writes.push(...recordDeletes(thread_id, records))
    for (const query of THREAD_DELETES) writes.push({ query, params: { thread_id } })
  }
  const { ofWakes, ofTokens, replaced } = await oldStoreEvents(session, {
    wakes,
    tokens: [...ended.keys()],
    before,
  })
  for (const [wake_id, events] of ofWakes) {
    // Both or none: a beginning without its end would still be running when the log is replayed.
    if (events.length !== 2) continue
    writes.push({ query: 'wake_delete', params: { wake_id } })
    replaced.push(...events)
    counts.wakes += 1
  }
  for (const [token_id, events] of ofTokens) {
    // All or none, as with wakes.
    if (events.length !== ended.get(token_id)) continue
    writes.push({ query: 'token_delete', params: { token_id } })
    replaced.push(...events)
    counts.tokens += 1
  }
  for (const { event_id, created_at } of replaced) {
    removed(event_id, created_at)
    writes.push({ query: 'event_delete', params: { event_id } })
  }
  counts.events += replaced.length
  if (counts.events > 0) {
    writes.push(
      { query: 'setting_put', params: { name: 'event_floor', value: String(end.floor) } },
      { query: 'setting_put', params: { name: 'clock_floor', value: end.clock } },
    )
  }
  const keys = await first(session.all<{ n: number }>('keys_count', { before }))
  counts.keys = keys?.n ?? 0
  if (counts.keys > 0) writes.push({ query: 'keys_delete', params: { before } })
  return { counts, writes }
}

/** Whether a thread may still go; when it came to that was asked before. */
const MAY_GO: Record<Retention, (session: Session, row: ThreadRow) => Promise<boolean>> = {
  finished: async (_, row) => isFinished(row),
  settled: (session, { thread_id }) => isAmong(session, 'mail_prunable', { thread_id }),
  trashed: (session, { thread_id }) => {
    return isAmong(session, 'pushes_prunable', { thread_id, before: '9999' })
  },
}

async function isAmong(session: Session, query: QueryName, params: Params): Promise<boolean> {
  return (await session.all(query, { ...params, limit: 1 })).length > 0
}

/** Of these tokens those that may go, still, and how many events each has. */
async function endedTokens(
  session: Session,
  tokens: string[],
  before: Instant,
): Promise<Map<string, number>> {
  if (tokens.length === 0) return new Map()
  // One that has expired may be being revoked just now, which makes an event.
  await session.all('agents_lock', {})
  const params = { before, tokens, limit: tokens.length }
  const rows = await session.all<{ token_id: string; events: number }>('tokens_prunable', params)
  return new Map(rows.map(({ token_id, events }) => [token_id, events]))
}

type StoreEventRow = {
  event_id: number
  event_type: 'wake_start' | 'wake_end' | 'agent_declare' | 'token_issue' | 'token_revoke'
  created_at: Instant
  payload_json: string
}

/** Old events of these wakes and tokens, and words on agents that were replaced by later ones. */
async function oldStoreEvents(
  session: Session,
  { wakes, tokens, before }: { wakes: string[]; tokens: string[]; before: Instant },
) {
  const ofWakes = new Map<string, StoreEventRow[]>(wakes.map((wakeId) => [wakeId, []]))
  const ofTokens = new Map<string, StoreEventRow[]>(tokens.map((tokenId) => [tokenId, []]))
  const replaced: StoreEventRow[] = []
  const rows = await session.all<{ agent_id: string; declared_at: Instant }>('agents_declared', {})
  const declared = new Map(rows.map(({ agent_id, declared_at }) => [agent_id, declared_at]))
  for (let after = 0; ; ) {
    const params = { after, before, limit: PAGE }
    const page = await session.all<StoreEventRow>('agent_events_old', params)
    for (const event of page) {
      const facts = JSON.parse(event.payload_json) as Record<string, string>
      const { wake_id = '', token_id = '', agent_id = '' } = facts
      if (event.event_type !== 'agent_declare') {
        ofWakes.get(wake_id)?.push(event)
        ofTokens.get(token_id)?.push(event)
      } else if (event.created_at < (declared.get(agent_id) ?? '')) replaced.push(event)
    }
    if (page.length < PAGE) return { ofWakes, ofTokens, replaced }
    after = page.at(-1)?.event_id ?? after
  }
}
