// A transaction as the operations see it, the same on both engines: locks and reads are sent immediately, writes are
// buffered until the commit. An engine only supplies the querier and the clock.

import { SIGHT_SECONDS } from '../core/agents/agent.ts'
import { dateInLog, type StoreEvent, type ThreadEvent } from '../core/event.ts'
import { type NewDelivery, UNTOUCHED } from '../core/inbox/delivery.ts'
import { stepAll, stepsOf } from '../core/inbox/delivery-steps.ts'
import { RECORDS } from '../core/records.ts'
import type { Tx } from '../core/store.ts'
import { evolve, type ThreadState } from '../core/threads/evolve.ts'
import { type Instant, plusSeconds } from '../core/time.ts'
import { findSnoozedThread, isOnDesks } from './desk/desk-row-writes.ts'
import { type EventRow, eventRow, storeEventRow } from './event-row.ts'
import { planPruning } from './keeping/pruning.ts'
import { first, type Querier, type Write } from './querier.ts'
import type { QueryName } from './query-name.gen.ts'
import { makeReads } from './reads.ts'
import { lockRow } from './record-reads.ts'
import { recordWrites } from './record-writes.ts'
import { writesFor } from './thread-event-writes.ts'
import { makeThreadLocks } from './threads/thread-locks.ts'

export type UnitOfWork = {
  tx: Tx
  writes: Write[]
  events: EventRow[]
  /** The threads whose desk rows are rebuilt once everything else is written. */
  onDesks: Set<string>
}

export type WriteClock = {
  /** The current time by the clock. Leases, expiry and everything else that can lapse depend on it. */
  now(): Promise<Instant>
  /**
   * The latest time in the log when the clock was last read. It's later than the clock's time if the clock was fast
   * when the log was written. Nothing is recorded with an earlier time.
   */
  reached(): Instant
}

export function unitOfWork(querier: Querier, clock: WriteClock, records = RECORDS): UnitOfWork {
  const writes: Write[] = []
  const events: EventRow[] = []
  const onDesks = new Set<string>()
  const reads = makeReads(querier, clock.now)
  const tx: Tx = {
    ...reads,
    ...makeThreadLocks(querier, clock.now, reads),

    lockRow: (record, key) => lockRow(querier, record, key),

    async lockRecords() {
      await querier.all('records_lock', {})
    },

    async lockTurn(role) {
      const row = await first(querier.all<{ last_agent: string }>('role_turn_lock', { role }))
      return row?.last_agent ?? ''
    },

    ...makeRecorders({ writes, events, onDesks }, clock, records),

    keep({ query, fixed, quiet }, values) {
      // A test checks that every note names an existing query.
      writes.push({ query: query as QueryName, params: { ...values, ...fixed }, quiet })
    },

    prune: async (want) => {
      const { counts, writes: deletes } = await planPruning(querier, want, records)
      writes.push(...deletes)
      return counts
    },
  }
  return { tx, writes, events, onDesks }
}

/** Records events: adds each one to the log along with the resulting rows. */
function makeRecorders(
  { writes, events, onDesks }: Omit<UnitOfWork, 'tx'>,
  { reached }: WriteClock,
  records: typeof RECORDS,
): Pick<Tx, 'record' | 'recordStoreEvent' | 'sightCaller'> {
  let firstAt: Instant | undefined
  const delivered: MadeDeliveries = new Map()
  const date = (event: ThreadEvent | StoreEvent) => {
    firstAt ??= event.at
    dateInLog(event, reached())
  }

  return {
    record(before, event) {
      date(event)
      const after = evolve(before, event)
      mustNotStepNew(delivered, before, event)
      writes.push(...writesFor(before, after, event), ...recordWrites(event, records))
      const row = eventRow(after, event)
      events.push(row)
      if (isOnDesks(before, event, row)) onDesks.add(event.thread_id)
      addDeliveries(delivered, event.thread_id, row.deliveries)
      return after
    },

    recordStoreEvent(event) {
      date(event)
      writes.push(...recordWrites(event, records))
      events.push(storeEventRow(event))
      const snoozed = findSnoozedThread(event)
      if (snoozed !== undefined) onDesks.add(snoozed)
    },

    sightCaller(agent_id, at) {
      // Uses the time of the first event, so that a status declared in this call isn't older than the call.
      const seen_at = firstAt ?? at
      if (seen_at === undefined) return
      const fresh_before = plusSeconds(seen_at, -SIGHT_SECONDS)
      writes.push({
        query: 'sighting_call',
        params: { agent_id, seen_at, fresh_before },
        quiet: true,
      })
    },
  }
}

/** Whether waiters have a reason to look. A sighting of an agent or a token isn't one. */
export function isNews({ writes, events }: Pick<UnitOfWork, 'writes' | 'events'>): boolean {
  return events.length > 0 || !writes.every(({ quiet }) => quiet)
}

/** The deliveries this transaction has created so far, by thread and recipient. */
type MadeDeliveries = Map<string, Map<string, NewDelivery[]>>

function addDeliveries(
  delivered: MadeDeliveries,
  threadId: string,
  made: readonly NewDelivery[],
): void {
  const there = delivered.get(threadId) ?? new Map<string, NewDelivery[]>()
  delivered.set(threadId, there)
  for (const one of made) {
    const before = there.get(one.recipient)
    if (before === undefined) there.set(one.recipient, [one])
    else before.push(one)
  }
}

/**
 * Deliveries are stored with their events, after everything else. A step of a delivery that isn't stored yet would have
 * no effect, although the log would say that it happened.
 */
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
