// The whole store at a glance: how much of what there is, who asks, who holds what. Read alike on both engines.

import type { Lease } from '../../core/threads/lease.ts'
import type { Counts, Overview, Question } from '../../core/threads/thread-reads.ts'
import { WORK_STATUSES, type WorkStatus } from '../../core/threads/work.ts'
import { first, type Querier } from '../querier.ts'
import { type LeasedRow, splitLeased, type ThreadRow, toThread } from './thread-row.ts'

export async function readOverview(
  querier: Querier,
  limit: number,
  most: number | undefined,
): Promise<Overview> {
  const [counts, pending, blocked, expiring] = await Promise.all([
    most === undefined ? countAll(querier) : countUpTo(querier, most),
    querier.all<ThreadRow>('threads_left_lying', { limit }),
    querier.all<ThreadRow>('threads_list', {
      statuses: ['blocked'],
      assigned_to: undefined,
      created_by: undefined,
      before_at: undefined,
      limit,
    }),
    querier.all<Lease>('leases_expiring', { limit }),
  ])
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
    counts,
    pending: pending.map(toThread),
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

async function countAll(querier: Querier): Promise<Counts> {
  const [statuses, messages, events] = await Promise.all([
    querier.all<{ status: WorkStatus; n: number }>('threads_count', {}),
    first(querier.all<{ n: number }>('messages_count', {})),
    first(querier.all<{ n: number }>('events_count', {})),
  ])
  const count = (status: WorkStatus) => statuses.find((row) => row.status === status)?.n ?? 0
  return counted(WORK_STATUSES.map(count), messages?.n ?? 0, events?.n ?? 0)
}

/** Reads no more rows than that of each, so a large store is counted as fast as a small one. */
async function countUpTo(querier: Querier, most: number): Promise<Counts> {
  type Ask = 'threads_counted' | 'messages_counted' | 'events_counted'
  const ask = async (query: Ask, status?: WorkStatus) =>
    (await first(querier.all<{ n: number }>(query, { most, ...(status && { status }) })))?.n ?? 0
  const [messages, events, ...threads] = await Promise.all([
    ask('messages_counted'),
    ask('events_counted'),
    ...WORK_STATUSES.map((status) => ask('threads_counted', status)),
  ])
  return counted(threads, messages, events)
}

function counted(threads: readonly number[], messages: number, events: number): Counts {
  const by = WORK_STATUSES.map((status, i) => [status, threads[i] ?? 0])
  return { threads: Object.fromEntries(by) as Counts['threads'], messages, events }
}
