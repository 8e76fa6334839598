// Keeps the rows of desks as the other tables have them. A row follows from what was delivered to the person in the
// thread, from the thread, its push or request, and from the snooze; so whoever records something of a thread makes its
// rows anew, in the same transaction and after all else.

import { isPerson } from '../../core/agents/agent.ts'
import type { StoreEvent, ThreadEvent } from '../../core/event.ts'
import { stepsOf } from '../../core/inbox/delivery-steps.ts'
import type { ThreadState } from '../../core/threads/evolve.ts'
import type { Instant } from '../../core/time.ts'
import type { EventRow } from '../event-row.ts'
import type { Write } from '../querier.ts'

/** Whether the event may change what stands on somebody's desk. Work among agents never does, and pays nothing. */
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

/** The thread of an event of no thread that is about a desk. */
export function snoozedBy({ facts }: StoreEvent): string | undefined {
  if (facts.type !== 'desk_snooze' && facts.type !== 'desk_unsnooze') return undefined
  return facts.snooze_id.slice(facts.snooze_id.indexOf('/') + 1)
}

/** Makes the rows of one thread anew. The moment is given where the transaction does not tell it. */
export function deskWrites(thread_id: string, now?: Instant): Write[] {
  return [
    { query: 'desk_forget', params: { thread_id } },
    { query: 'desk_fill', params: { ...WHOLE, thread_id, now } },
  ]
}

const WHOLE = { writes: 1, thread_id: undefined, after: undefined, upto: undefined }

/** Makes all rows anew, when a store was brought up to date. */
export function allDeskWrites(now: Instant): Write[] {
  return [
    { query: 'desk_empty', params: {} },
    { query: 'desk_fill', params: { ...WHOLE, now } },
  ]
}
