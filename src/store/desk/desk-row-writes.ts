// Keeps the desk rows in sync with the other tables. A row is derived from the thread's deliveries to the person, the
// thread, its push or request, and the snooze. So every transaction that records something in a thread also rebuilds
// the thread's rows, as its last step.

import { isPerson } from '../../core/agents/agent.ts'
import type { StoreEvent, ThreadEvent } from '../../core/event.ts'
import { stepsOf } from '../../core/inbox/delivery-steps.ts'
import type { ThreadState } from '../../core/threads/evolve.ts'
import type { Instant } from '../../core/time.ts'
import type { EventRow } from '../event-row.ts'
import type { Write } from '../querier.ts'

/** Whether the event can change anyone's desk. Work among agents never can, and costs nothing here. */
export function isOnDesks(
  before: ThreadState | null,
  event: ThreadEvent,
  { deliveries }: Pick<EventRow, 'deliveries'>,
): boolean {
  if (deliveries.some(({ recipient }) => isPerson(recipient))) return true
  if (before === null) return false
  const { kind, created_by, assigned_to } = before.thread
  if (kind === 'push' || kind === 'request' || (event.message !== null && kind === 'mail'))
    return true
  if (isPerson(created_by) || isPerson(assigned_to)) return true
  return stepsOf(event, assigned_to).some(({ recipient }) => isPerson(recipient))
}

export function findSnoozedThread({ facts }: StoreEvent): string | undefined {
  if (facts.type !== 'desk_snooze' && facts.type !== 'desk_unsnooze') return undefined
  return facts.snooze_id.slice(facts.snooze_id.indexOf('/') + 1)
}

/** Rebuilds the rows of one thread. Pass the time if the transaction doesn't supply it. */
export function deskWrites(thread_id: string, now?: Instant): Write[] {
  return [
    { query: 'desk_forget', params: { thread_id } },
    { query: 'desk_fill', params: { ...WHOLE, thread_id, now } },
  ]
}

const WHOLE = { writes: 1, thread_id: undefined, after: undefined, upto: undefined }

export function allDeskWrites(now: Instant): Write[] {
  return [
    { query: 'desk_empty', params: {} },
    { query: 'desk_fill', params: { ...WHOLE, now } },
  ]
}
