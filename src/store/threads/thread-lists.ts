// Lists of threads, how many there are, and what stands beside each, read alike on both engines.

import type { Lease } from '../../core/threads/lease.ts'
import type { Thread } from '../../core/threads/thread.ts'
import {
  type BesideThread,
  MOST_TALLIED,
  type ThreadFilter,
  type ThreadScope,
} from '../../core/threads/thread-reads.ts'
import { WORK_STATUSES, type WorkStatus } from '../../core/threads/work.ts'
import type { Querier } from '../querier.ts'
import { inFewLengths } from './history-reads.ts'
import { compare, type ThreadRow, toThread } from './thread-row.ts'

export async function listThreads(querier: Querier, filter: ThreadFilter): Promise<Thread[]> {
  const owners =
    filter.agent === undefined
      ? [{ assigned_to: filter.assignedTo, created_by: filter.createdBy }]
      : [
          { assigned_to: filter.agent, created_by: filter.createdBy },
          { assigned_to: filter.assignedTo, created_by: filter.agent },
        ]
  const query = filter.oldestFirst === true ? 'threads_list_oldest' : 'threads_list'
  const parts = await Promise.all(
    owners.map((owner) =>
      querier.all<ThreadRow>(query, {
        statuses: filter.statuses,
        ...owner,
        before_at: filter.before?.updated_at,
        before_thread: filter.before?.thread_id,
        limit: filter.limit,
      }),
    ),
  )
  const matches = ({ assigned_to, created_by }: Thread) =>
    (filter.assignedTo === undefined || assigned_to === filter.assignedTo) &&
    (filter.createdBy === undefined || created_by === filter.createdBy)
  const latestFirst = (a: Thread, b: Thread) =>
    compare(b.updated_at, a.updated_at) || compare(b.thread_id, a.thread_id)
  return unique(parts.flat().map(toThread).filter(matches))
    .sort(filter.oldestFirst === true ? (a, b) => latestFirst(b, a) : latestFirst)
    .slice(0, filter.limit)
}

/** A thread that an agent made and has itself is counted once. */
export async function tallyThreads(
  querier: Querier,
  { agent, assignedTo, createdBy }: ThreadScope,
): Promise<Record<WorkStatus, number>> {
  const parts =
    agent === undefined
      ? [{ assigned_to: assignedTo, created_by: createdBy, not_by: undefined }]
      : [
          { assigned_to: assignedTo, created_by: agent, not_by: undefined },
          { assigned_to: agent, created_by: createdBy, not_by: agent },
        ].filter(({ assigned_to, created_by }) => {
          const isOfWorker = assignedTo === undefined || assigned_to === assignedTo
          const isOfMaker = createdBy === undefined || created_by === createdBy
          return isOfWorker && isOfMaker
        })
  const rows = await Promise.all(
    parts.map((part) =>
      querier.all<{ status: WorkStatus; n: number }>('threads_tally', {
        ...part,
        statuses: WORK_STATUSES,
        most: MOST_TALLIED,
      }),
    ),
  )
  const count = (status: WorkStatus) =>
    rows.flat().reduce((sum, row) => (row.status === status ? sum + row.n : sum), 0)
  const counted = WORK_STATUSES.map((status) => [status, Math.min(count(status), MOST_TALLIED)])
  return Object.fromEntries(counted) as Record<WorkStatus, number>
}

type BesideRow = Lease & NonNullable<BesideThread['question']>

export async function readBeside(
  querier: Querier,
  threadIds: readonly string[],
): Promise<BesideThread[]> {
  if (threadIds.length === 0) return []
  type Row = { thread_id: string } & { [Key in keyof BesideRow]: BesideRow[Key] | null }
  const rows = await querier.all<Row>('threads_beside', { threads: inFewLengths(threadIds) })
  return rows.map((row) => {
    const { message_id, from_agent, summary, created_at, ...lease } = row
    const question = { message_id, from_agent, summary, created_at }
    return {
      thread_id: row.thread_id,
      lease: row.agent_id === null ? null : (lease as Lease),
      question: message_id === null ? null : (question as BesideThread['question']),
    }
  })
}

function unique(threads: Thread[]): Thread[] {
  return [...new Map(threads.map((thread) => [thread.thread_id, thread])).values()]
}
