// Threads, their messages and who holds them, read alike on both engines.

import type { AnsweredMessage } from '../../core/threads/commands.ts'
import type { ReadMark, ThreadState } from '../../core/threads/evolve.ts'
import { isLive } from '../../core/threads/lease.ts'
import type { Artifact, Message } from '../../core/threads/message.ts'
import { statusAfter } from '../../core/threads/thread.ts'
import type {
  Candidate,
  FetchFilter,
  ThreadLooks,
  ThreadReads,
} from '../../core/threads/thread-reads.ts'
import type { Instant } from '../../core/time.ts'
import { readFittingRows } from '../fitting-rows.ts'
import { first, type Querier } from '../querier.ts'
import { HELD } from './held-query.ts'
import { readOverview } from './overview-reads.ts'
import { listThreads, readBeside, tallyThreads } from './thread-lists.ts'
import { compare, type LeasedRow, splitLeased } from './thread-row.ts'

export function makeThreadReads(querier: Querier, now: () => Promise<Instant>): ThreadReads {
  return {
    async thread(threadId): Promise<ThreadState | null> {
      const row = await first(querier.all<LeasedRow>('thread_get', { thread_id: threadId }))
      return row && splitLeased(row)
    },
    message: (messageId) => readMessage(querier, messageId),
    async asking(threadId): Promise<Message | null> {
      const params = { thread_id: threadId }
      const [row, artifacts] = await Promise.all([
        first(querier.all<Omit<Message, 'artifacts'>>('message_asking', params)),
        querier.all<Artifact>('artifacts_asking', params),
      ])
      return row && { ...row, artifacts }
    },
    async messages(threadId, { after, limit }): Promise<Message[]> {
      type Row = Omit<Message, 'artifacts'>
      const params = { thread_id: threadId, after, limit }
      const bySeq = (a: Row, b: Row) => a.seq - b.seq
      const rows = await readFittingRows(querier, 'messages_of_thread', params, bySeq)
      const upto = rows.at(-1)?.seq ?? after
      const places = { thread_id: threadId, after, upto }
      const artifacts = await querier.all<Artifact>('artifacts_of_thread', places)
      return rows.map((row) => ({
        ...row,
        artifacts: artifacts.filter((artifact) => artifact.message_id === row.message_id),
      }))
    },
    openQuestion: (threadId, by) =>
      first(querier.all<AnsweredMessage>('question_open', { thread_id: threadId, by })),
    async hasWritten(threadId, agent) {
      const params = { thread_id: threadId, from_agent: agent }
      return (await querier.all('messages_by', params)).length > 0
    },
    async everHeld(threadId, agent) {
      const found = await querier.all('event_claimed_by', { thread_id: threadId, agent })
      return found.length > 0
    },
    held: async (agent, limit) => querier.all(HELD, { agent, now: await now(), limit }),
    readMark: (threadId, agent) =>
      first(querier.all<ReadMark>('read_mark_get', { thread_id: threadId, agent })),
  }
}

export function makeThreadLooks(querier: Querier, now: () => Promise<Instant>): ThreadLooks {
  return {
    threads: (filter) => listThreads(querier, filter),
    tallyThreads: (scope) => tallyThreads(querier, scope),
    besideThreads: (threadIds) => readBeside(querier, threadIds),
    fetch: (filter) => fetchThreads(querier, filter, now),
    nextLapse: async () => {
      type Next = { expires_at: Instant | null } | { due_at: Instant }
      // Later than every moment: the first of each is wanted, whenever it is due.
      const requests = { by: '~', limit: 1 }
      const found = await Promise.all([
        querier.all<Next>('lease_next_expiry', {}),
        querier.all<Next>('delivery_next_expiry', {}),
        querier.all<Next>('requests_held_due', requests),
        querier.all<Next>('requests_remind_due', requests),
        querier.all<Next>('requests_lapse_due', requests),
      ])
      const times = found.flat().map((next) => ('due_at' in next ? next.due_at : next.expires_at))
      return times.filter((at) => at !== null).sort()[0] ?? null
    },
    overview: (limit, most) => readOverview(querier, limit, most),
  }
}

async function readMessage(querier: Querier, messageId: string): Promise<Message | null> {
  const [row, artifacts] = await Promise.all([
    first(querier.all<Omit<Message, 'artifacts'>>('message_get', { message_id: messageId })),
    artifactsOf(querier, messageId),
  ])
  return row && { ...row, artifacts }
}

export function artifactsOf(querier: Querier, message_id: string): Promise<Artifact[]> {
  return querier.all<Artifact>('artifacts_of_message', { message_id })
}

async function fetchThreads(
  querier: Querier,
  filter: FetchFilter,
  readNow: () => Promise<Instant>,
): Promise<Candidate[]> {
  const common = {
    agent: filter.agent,
    limit: filter.limit,
    unread: filter.unreadOnly ? 1 : undefined,
  }
  const asked =
    filter.statuses === undefined
      ? [
          querier.all<LeasedRow>('threads_fetch_pending', common),
          querier.all<LeasedRow>('threads_fetch_lapsed', common),
          querier.all<LeasedRow>('threads_fetch_role', common),
        ]
      : [
          ...filter.statuses.map((status) =>
            querier.all<LeasedRow>('threads_fetch_status', { ...common, status }),
          ),
          ...(filter.statuses.includes('pending')
            ? [querier.all<LeasedRow>('threads_fetch_role', common)]
            : []),
        ]
  const [now, ...parts] = await Promise.all([readNow(), ...asked])
  const rows = parts
    .flat()
    .sort(
      (a, b) =>
        a.priority_rank - b.priority_rank ||
        compare(a.created_at, b.created_at) ||
        compare(a.thread_id, b.thread_id),
    )
    .slice(0, filter.limit)
  return rows.map((row) => {
    const { thread, lease } = splitLeased(row)
    const claimable = statusAfter(thread, 'claim') !== undefined && !isLive(lease, now)
    return { thread, lease, claimable }
  })
}
