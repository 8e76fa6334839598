// Checks a store against its log. Every write appends its event in its own transaction, so the event ids are a serial
// order, and one pass afterward can check what really happened:
// (1) Replayed through the pure core, every event is legal.
// (2) At each write under a lease, its holder had a live lease; at each claim, no one did.
// (3) What a process was told (its token, its event id) matches the log at that point.
// (4) Every acknowledged write is in the log exactly once.

import type { LoggedEvent } from '../../src/core/event.ts'
import { emptyReplay, replayEvent } from '../../src/core/keeping/replay.ts'
import type { ThreadState } from '../../src/core/threads/evolve.ts'
import { isLive } from '../../src/core/threads/lease.ts'
import type { Message } from '../../src/core/threads/message.ts'
import { connect } from '../../src/index.ts'
import type { TestStore } from '../worlds/store.ts'

/** An acknowledged write: the event id in its answer, and the lease token it was made with. */
export type Act = { event_id: number; token?: string | undefined }

const UNDER_A_LEASE = new Set(['thread_renew', 'thread_update', 'thread_done', 'thread_fail'])

export async function contradictions(store: TestStore, acts: Act[]): Promise<string[]> {
  const events = (await store.sql('select * from events order by event_id')) as LoggedEvent[]
  const messages = (await store.sql('select * from messages')) as Omit<Message, 'artifacts'>[]
  const byId = new Map(messages.map((message) => [message.message_id, message]))
  const told = new Map<number, Act>()
  const problems: string[] = []
  for (const act of acts) {
    if (told.has(act.event_id)) problems.push(`event ${act.event_id} was acknowledged twice`)
    told.set(act.event_id, act)
  }
  const replayed = emptyReplay()
  for (const row of events) {
    const event = { ...row, event_id: Number(row.event_id) }
    const before = replayed.threads.get(event.thread_id) ?? null
    problems.push(...staleness(event, before, told.get(event.event_id)))
    const message = event.message_id === null ? undefined : byId.get(event.message_id)
    replayEvent(replayed, event, message ? { ...message, artifacts: [] } : null)
    told.delete(event.event_id)
  }
  for (const { event_id } of told.values()) {
    problems.push(`event ${event_id} was acknowledged and is not in the log`)
  }
  return [...problems, ...replayed.problems]
}

function staleness(event: LoggedEvent, before: ThreadState | null, act?: Act): string[] {
  const lease = before?.lease ?? null
  const what = `event ${event.event_id}, ${event.event_type} by ${event.agent}`
  if (event.event_type === 'thread_claim' && isLive(lease, event.created_at)) {
    return [`${what}: ${lease.agent_id} held the thread`]
  }
  if (!UNDER_A_LEASE.has(event.event_type)) return []
  if (!isLive(lease, event.created_at)) return [`${what}: nobody held the thread`]
  if (lease.agent_id !== event.agent) return [`${what}: ${lease.agent_id} held the thread`]
  if (act?.token !== undefined && act.token !== lease.lease_token) {
    return [`${what}: accepted under a token of another generation than ${lease.generation}`]
  }
  return []
}

/**
 * The problems that doctor finds in a store, except those that tests cause on purpose, such as old leases or a server
 * that doesn't flush.
 */
export async function findingsOf(address: string): Promise<string[]> {
  const client = await connect(address)
  try {
    const { findings } = await client.doctor({})
    // These tests create lapsed leases and clocks that run freely on purpose.
    const isExpected = (check: string) =>
      check === 'leases' ||
      check === 'clock' ||
      (check === 'durability' && address.startsWith('postgres:'))
    return findings
      .filter((finding) => !finding.ok && !isExpected(finding.check))
      .map((finding) => `${finding.check}: ${finding.detail}`)
  } finally {
    await client.close()
  }
}
