import type { AnsweredMessage } from '../../core/threads/commands.ts'
import type { ReadMark, ThreadState } from '../../core/threads/evolve.ts'
import { isLive, type Lease } from '../../core/threads/lease.ts'
import type { Artifact, Message } from '../../core/threads/message.ts'
import { statusAfter, type Thread } from '../../core/threads/thread.ts'
import {
  type BesideThread,
  type Candidate,
  type Counts,
  type FetchFilter,
  type Like,
  MOST_TALLIED,
  type Overview,
  type Question,
  type ThreadFilter,
  type ThreadLooks,
  type ThreadReads,
  type ThreadScope,
} from '../../core/threads/thread-reads.ts'
import { WORK_STATUSES, type WorkStatus } from '../../core/threads/work.ts'
import type { Instant } from '../../core/time.ts'
import type { MadeQuery } from '../compile.ts'
import { count, first, type Querier, readFittingRows } from '../querier.ts'
import { inFewLengths } from './history-reads.ts'
import {
  compare,
  HELD,
  type LeasedRow,
  splitLeased,
  type ThreadRow,
  toThread,
} from './thread-row.ts'

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
      // '~' sorts after every time, so this finds the first of each, whenever it's due.
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
    like: async (what, range, limit) => querier.all(likeQuery(what), { ...range, limit }),
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

async function listThreads(querier: Querier, filter: ThreadFilter): Promise<Thread[]> {
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

/** A thread that an agent created and is assigned to is counted once. */
async function tallyThreads(
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

async function readBeside(querier: Querier, threadIds: readonly string[]): Promise<BesideThread[]> {
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

/** Reads the whole store at a glance: how much it contains, who has open questions, and who holds what. */
async function readOverview(
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
    count(querier, 'messages_count', {}),
    count(querier, 'events_count', {}),
  ])
  const threads = WORK_STATUSES.map((one) => statuses.find(({ status }) => status === one)?.n ?? 0)
  return counted(threads, messages, events)
}

/** Counts at most `most` rows of each kind, so counting a large store is as fast as counting a small one. */
async function countUpTo(querier: Querier, most: number): Promise<Counts> {
  const [messages, events, ...threads] = await Promise.all([
    count(querier, 'messages_counted', { most }),
    count(querier, 'events_counted', { most }),
    ...WORK_STATUSES.map((status) => count(querier, 'threads_counted', { most, status })),
  ])
  return counted(threads, messages, events)
}

function counted(threads: readonly number[], messages: number, events: number): Counts {
  const by = WORK_STATUSES.map((status, i) => [status, threads[i] ?? 0])
  return { threads: Object.fromEntries(by) as Counts['threads'], messages, events }
}

const TABLES: Record<keyof Like, { table: string; key: string; columns: string }> = {
  thread: {
    table: 'threads',
    key: 'thread_id',
    columns: 'thread_id, kind, created_by, subject',
  },
  message: { table: 'messages', key: 'message_id', columns: 'message_id, thread_id, summary' },
  agent_run: { table: 'agent_runs', key: 'agent_run_id', columns: 'agent_run_id, agent_id' },
}

export const LIKE = Object.keys(TABLES) as (keyof Like)[]

/** Combines a range of the primary key with a range of the index on the random end of the ids. */
export function likeQuery(what: keyof Like): MadeQuery {
  const { table, key, columns } = TABLES[what]
  const chance = `substr(${key}, 15)`
  const text = `select * from (
    select ${columns} from ${table} where ${key} >= :from and ${key} < :upto order by ${key} limit :limit
  ) begun
  union all
  select * from (
    select ${columns} from ${table} where ${chance} >= :chance and ${chance} < :chance_upto
    order by ${chance} limit :limit
  ) by_chance`
  return { name: `${table}_like`, text }
}
