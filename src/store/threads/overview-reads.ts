// The whole store at a glance: how much of what there is, who asks, who holds what. Read alike on both engines.

import type { Lease } from '../../core/threads/lease.ts'
import type { Overview, Question } from '../../core/threads/thread-reads.ts'
import { WORK_STATUSES, type WorkStatus } from '../../core/threads/work.ts'
import { first, type Querier } from '../querier.ts'
import { type LeasedRow, splitLeased, type ThreadRow, toThread } from './thread-row.ts'

export async function readOverview(querier: Querier, limit: number): Promise<Overview> {
  const [statuses, messages, events, oldest, blocked, expiring] = await Promise.all([
    querier.all<{ status: WorkStatus; n: number }>('threads_count', {}),
    first(querier.all<{ n: number }>('messages_count', {})),
    first(querier.all<{ n: number }>('events_count', {})),
    first(querier.all<ThreadRow>('threads_oldest_pending', {})),
    querier.all<ThreadRow>('threads_list', {
      statuses: ['blocked'],
      assigned_to: undefined,
      created_by: undefined,
      before_at: undefined,
      limit,
    }),
    querier.all<Lease>('leases_expiring', { limit }),
  ])
  const count = (status: WorkStatus) => statuses.find((row) => row.status === status)?.n ?? 0
  const questions = await Promise.all(
    blocked.map((row) =>
      first(querier.all<Question>('latest_question', { thread_id: row.thread_id })),
    ),
  )
  const held = await Promise.all(
    expiring.map((lease) =>
      first(querier.all<LeasedRow>('thread_get', { thread_id: lease.thread_id })),
    ),
  )
  return {
    counts: {
      threads: Object.fromEntries(WORK_STATUSES.map((status) => [status, count(status)])) as Record<
        WorkStatus,
        number
      >,
      messages: messages?.n ?? 0,
      events: events?.n ?? 0,
    },
    oldest_pending: oldest && toThread(oldest),
    blocked: blocked.flatMap((row, i) => {
      const question = questions[i]
      return question ? [{ thread: toThread(row), question }] : []
    }),
    leases: expiring.flatMap((lease, i) => {
      const row = held[i]
      return row ? [{ thread: splitLeased(row).thread, lease }] : []
    }),
  }
}
