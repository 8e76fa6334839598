// The transaction as the operations see it, the same on both engines: locks and reads go out at
// once, writes are kept until the commit. An engine only supplies the querier and the clock.

import { SIGHT_SECONDS } from '../core/agents/agent.ts'
import { dateInLog, type ThreadEvent } from '../core/event.ts'
import { type NewDelivery, UNTOUCHED } from '../core/inbox/delivery.ts'
import { stepAll, stepsOf } from '../core/inbox/delivery-steps.ts'
import { RECORDS } from '../core/records.ts'
import type { AgentRun } from '../core/requests/agent-run-record.ts'
import type { LockedThread, Tx } from '../core/store.ts'
import { evolve, type ThreadState } from '../core/threads/evolve.ts'
import { hasLapsed, type Lease } from '../core/threads/lease.ts'
import { type Instant, plusSeconds } from '../core/time.ts'
import type { Wake } from '../core/waking/wake.ts'
import { isOnDesks, snoozedBy } from './desk/desk-row-writes.ts'
import { type EventRow, eventRow, storeEventRow } from './event-row.ts'
import { pruning } from './keeping/pruning.ts'
import { first, type Querier, type Write } from './querier.ts'
import { makeReads } from './reads.ts'
import { recordWrites } from './record-writes.ts'
import { keepSeed } from './requests/request-reads.ts'
import { writesFor } from './thread-event-writes.ts'
import { type ThreadRow, toThread } from './threads/thread-row.ts'
import { lockInstance } from './workflows/channel-reads.ts'

export type UnitOfWork = {
  tx: Tx
  writes: Write[]
  events: EventRow[]
  /** The threads whose rows on desks are made anew, once everything else is written. */
  onDesks: Set<string>
}

/** The two times of a transaction. */
export type WriteClock = {
  /** The moment, by the clock: leases, expiry and whatever else lapses count by it. */
  now(): Promise<Instant>
  /**
   * The time that the log had reached when the moment was last read. It is ahead of the moment if the clock was ahead
   * when it was written. What is recorded is dated no earlier.
   */
  reached(): Instant
}

export function unitOfWork(
  querier: Querier,
  { now, reached }: WriteClock,
  records = RECORDS,
): UnitOfWork {
  const writes: Write[] = []
  const events: EventRow[] = []
  const onDesks = new Set<string>()
  let firstAt: Instant | undefined
  const delivered: MadeDeliveries = new Map()

  // Thread row first, lease and clock after it: on PostgreSQL a join would show the lease as it was
  // before the lock was granted, and the moment must not be older than the lock.
  const lockedRow = async (row: ThreadRow): Promise<LockedThread> => {
    const [lease, moment] = await Promise.all([
      first(querier.all<Lease>('lease_get', { thread_id: row.thread_id })),
      now(),
    ])
    return { state: { thread: toThread(row), lease }, now: moment }
  }
  const reads = makeReads(querier, now)

  const lockBest: Tx['lockNext'] = async (agent) => {
    const [pending, lapsed, ofRole] = await Promise.all([
      querier.all<ThreadRow>('thread_lock_pending', { agent }),
      querier.all<ThreadRow>('thread_lock_lapsed_of', { agent }),
      querier.all<ThreadRow>('thread_next_of_role', { agent }),
    ])
    const best = [...pending, ...lapsed, ...ofRole].sort(
      (a, b) =>
        a.priority_rank - b.priority_rank ||
        (a.created_at < b.created_at ? -1 : a.created_at > b.created_at ? 1 : 0),
    )
    for (const found of best) {
      // Others of the role may want theirs: it is locked only when it is to be taken.
      const [row] = ofRole.includes(found)
        ? await querier.all<ThreadRow>('thread_lock_role', { agent, role: found.assigned_to })
        : [found]
      if (row === undefined) continue
      const [locked, asking] = await Promise.all([lockedRow(row), reads.asking(row.thread_id)])
      // Renewed between the look and the lock: not ours to take.
      if (row.status === 'pending' || hasLapsed(locked.state.lease, locked.now)) {
        return { ...locked, asking }
      }
    }
    return null
  }

  const tx: Tx = {
    ...reads,

    async lock(threadId) {
      const params = { thread_id: threadId }
      const [row, lease, moment] = await Promise.all([
        first(querier.all<ThreadRow>('thread_lock', params)),
        first(querier.all<Lease>('lease_get', params)),
        now(),
      ])
      return row && { state: { thread: toThread(row), lease }, now: moment }
    },

    async lockAll(threadIds) {
      const locks = await Promise.all([...new Set(threadIds)].sort().map(tx.lock))
      return locks.filter((lock) => lock !== null)
    },

    async lockNext(agent) {
      for (;;) {
        const found = await lockBest(agent)
        if (found !== null) return found
        // Rows that another writer has are passed over, for one of those that are free. If none is free, that
        // writer is waited for: it may only have marked a message, and nobody would hear of the work again.
        const passed = await first(
          querier.all<{ thread_id: string }>('thread_passed_over', { agent }),
        )
        if (passed === null) return null
        await querier.all('thread_lock', passed)
      }
    },

    async lockLapsed(limit) {
      const rows = await querier.all<ThreadRow>('threads_lock_lapsed', { limit })
      return Promise.all(rows.map(lockedRow))
    },

    record(before, event) {
      firstAt ??= event.at
      dateInLog(event, reached())
      const after = evolve(before, event)
      mustNotStepNew(delivered, before, event)
      writes.push(...writesFor(before, after, event), ...recordWrites(event, records))
      const row = eventRow(after, event)
      events.push(row)
      if (isOnDesks(before, event, row)) onDesks.add(event.thread_id)
      const got = delivered.get(event.thread_id) ?? new Map<string, NewDelivery[]>()
      for (const made of row.deliveries) {
        const own = got.get(made.recipient)
        if (own === undefined) got.set(made.recipient, [made])
        else own.push(made)
      }
      delivered.set(event.thread_id, got)
      return after
    },

    recordStoreEvent(event) {
      firstAt ??= event.at
      dateInLog(event, reached())
      writes.push(...recordWrites(event, records))
      events.push(storeEventRow(event))
      const snoozed = snoozedBy(event)
      if (snoozed !== undefined) onDesks.add(snoozed)
    },

    async lockRecords() {
      await querier.all('records_lock', {})
    },

    async lockAgent(agent_id) {
      await querier.all('agent_lock', { agent_id })
    },

    lockWake: (wake_id) => first(querier.all<Wake>('wake_lock', { wake_id })),
    lockAgentRun: (agent_run_id) =>
      first(querier.all<AgentRun>('agent_run_lock', { agent_run_id })),

    keepWake(wake_id, expires_at) {
      writes.push({ query: 'wake_keep', params: { wake_id, expires_at } })
    },

    lockInstance: (instance) => lockInstance(querier, instance),

    keepInstance(instance, lease) {
      writes.push({ query: 'instance_keep', params: { instance, ...lease } })
    },

    keepEffect(thread_id, expires_at) {
      writes.push({ query: 'effect_keep', params: { thread_id, expires_at } })
    },

    async lockTurn(role) {
      const row = await first(querier.all<{ last_agent: string }>('role_turn_lock', { role }))
      return row?.last_agent ?? ''
    },

    giveTurn(role, last_agent) {
      writes.push({ query: 'role_turn_put', params: { role, last_agent } })
    },

    sight(agent_id, seen_at, until) {
      if (until === undefined) {
        writes.push({ query: 'sighting_seen', params: { agent_id, seen_at } })
        return
      }
      const params = { agent_id, seen_at, waiting_until: until ?? '' }
      writes.push({ query: 'sighting_put', params })
    },

    beginTurn(agent_id, turn) {
      writes.push({ query: 'sighting_turn', params: { agent_id, ...turn } })
    },

    endTurn(agent_id, session, before) {
      writes.push({ query: 'sighting_turn_over', params: { agent_id, session, before } })
    },

    keepHash(token_id, hash) {
      writes.push({ query: 'token_keep_hash', params: { token_id, hash } })
    },

    keepWarrantSeed(seed) {
      writes.push(keepSeed(seed))
    },

    keepPageHash(token_id, page_hash) {
      writes.push({ query: 'token_keep_page_hash', params: { token_id, page_hash } })
    },

    sightToken(token_id, at) {
      writes.push({ query: 'sighting_token', params: { token_id, at } })
    },

    sightCaller(agent_id, at) {
      // The first event gives the time, so that a status declared by this very call is not older than the call.
      const seen_at = firstAt ?? at
      if (seen_at === undefined) return
      const fresh_before = plusSeconds(seen_at, -SIGHT_SECONDS)
      writes.push({ query: 'sighting_call', params: { agent_id, seen_at, fresh_before } })
    },

    prune: async (want) => {
      const { counts, writes: deletes } = await pruning(querier, want, records)
      writes.push(...deletes)
      return counts
    },
  }
  return { tx, writes, events, onDesks }
}

/** Whether there is a reason for anyone to look. That an agent or a token was seen is none. */
export function isNews({ writes, events }: Pick<UnitOfWork, 'writes' | 'events'>): boolean {
  const isSighting = ({ query }: Write) =>
    typeof query === 'string' && query.startsWith('sighting_')
  return events.length > 0 || !writes.every(isSighting)
}

/** The deliveries that this transaction has made so far, by thread and recipient. */
type MadeDeliveries = Map<string, Map<string, NewDelivery[]>>

/** Deliveries are stored with their events, after all else: a step of one that is not stored yet would
 *  pass it by, and the log would say otherwise. */
function mustNotStepNew(
  delivered: MadeDeliveries,
  before: ThreadState | null,
  event: ThreadEvent,
): void {
  const got = delivered.get(event.thread_id)
  if (before === null || got === undefined) return
  for (const step of stepsOf(event, before.thread.assigned_to)) {
    const made = (got.get(step.recipient) ?? []).map((one) => ({
      ...UNTOUCHED,
      ...one,
      event_id: 0,
    }))
    const isStepped = made.some((one) => stepAll([one], step, event.at)[0] !== one)
    if (!isStepped) continue
    throw new Error(`a step of what was sent to ${step.recipient} in the same transaction`)
  }
}
