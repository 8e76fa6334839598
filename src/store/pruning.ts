// What goes with a thread or a wake that is removed, and what must be kept of it: how far the log had
// come, and what time it was.

import type { Pruned, Tx } from '../core/store.ts'
import { isFinished } from '../core/thread.ts'
import { type Instant, latest } from '../core/time.ts'
import { readSetting } from './reads.ts'
import { first, type Session } from './session.ts'
import type { ThreadRow } from './thread-row.ts'
import type { Write } from './unit-of-work.ts'

// Children before parents: the foreign keys are real.
const THREAD_DELETES = [
  'read_marks_delete',
  'artifacts_delete',
  'deliveries_delete',
  'lease_delete',
  'push_row_delete',
  'events_delete',
  'messages_delete',
  'thread_delete',
] as const

const PAGE = 1000

export async function pruning(
  session: Session,
  { threads, wakes, before }: Parameters<Tx['prune']>[0],
): Promise<{ counts: Pruned; writes: Write[] }> {
  const writes: Write[] = []
  const none = { threads: 0, messages: 0 }
  const kinds = { work: { ...none }, mail: { ...none }, push: { ...none } }
  const counts: Pruned = { ...none, events: 0, keys: 0, wakes: 0, kinds }
  const end = {
    floor: Number((await readSetting(session, 'event_floor')) ?? 0),
    clock: (await readSetting(session, 'clock_floor')) ?? '',
  }
  const removed = (event_id: number, at: Instant) => {
    end.floor = Math.max(end.floor, event_id)
    end.clock = latest(end.clock, at)
  }
  for (const thread_id of threads) {
    const row = await first(session.all<ThreadRow>('thread_lock', { thread_id }))
    // Gone, open again, or with something new to read: whoever was faster decides.
    if (row === null || !(await mayGo(session, row))) continue
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
    for (const query of THREAD_DELETES) writes.push({ query, params: { thread_id } })
  }
  const { ofWakes, replaced } = await oldAgentEvents(session, wakes, before)
  for (const [wake_id, events] of ofWakes) {
    // Both or none: a beginning without its end would still be running when the log is replayed.
    if (events.length !== 2) continue
    writes.push({ query: 'wake_delete', params: { wake_id } })
    replaced.push(...events)
    counts.wakes += 1
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

async function mayGo(session: Session, { kind, status, thread_id }: ThreadRow): Promise<boolean> {
  if (kind === 'push') return mayForget(session, thread_id)
  if (kind !== 'mail') return isFinished(status)
  return (await session.all('mail_prunable', { thread_id, limit: 1 })).length > 0
}

/** Put away or deleted, still; when, was asked before. */
async function mayForget(session: Session, thread_id: string): Promise<boolean> {
  const params = { thread_id, before: '9999', limit: 1 }
  return (await session.all('pushes_prunable', params)).length > 0
}

type AgentEventRow = {
  event_id: number
  event_type: 'wake_start' | 'wake_end' | 'agent_declare'
  created_at: Instant
  payload_json: string
}

/** Old events of these wakes, and words on agents that were replaced by later ones. */
async function oldAgentEvents(session: Session, wakes: string[], before: Instant) {
  const ofWakes = new Map<string, AgentEventRow[]>(wakes.map((wakeId) => [wakeId, []]))
  const replaced: AgentEventRow[] = []
  const rows = await session.all<{ agent_id: string; declared_at: Instant }>('agents_declared', {})
  const declared = new Map(rows.map(({ agent_id, declared_at }) => [agent_id, declared_at]))
  for (let after = 0; ; ) {
    const params = { after, before, limit: PAGE }
    const page = await session.all<AgentEventRow>('agent_events_old', params)
    for (const event of page) {
      const facts = JSON.parse(event.payload_json) as { wake_id: string; agent_id: string }
      if (event.event_type !== 'agent_declare') ofWakes.get(facts.wake_id)?.push(event)
      else if (event.created_at < (declared.get(facts.agent_id) ?? '')) replaced.push(event)
    }
    if (page.length < PAGE) return { ofWakes, replaced }
    after = page.at(-1)?.event_id ?? after
  }
}
