// The reads that both engines share, and that run alike inside and outside a transaction.

import type { LoggedEvent } from '../core/event.ts'
import type { Push } from '../core/pushes/push.ts'
import type { Looks, Reads, Store } from '../core/store.ts'
import type { ReadMark, ThreadState } from '../core/threads/evolve.ts'
import { isLive } from '../core/threads/lease.ts'
import type { EventFilter, ReplyFilter } from '../core/threads/log-reads.ts'
import type { Artifact, Message } from '../core/threads/message.ts'
import { HELD_STATUSES, type Thread, type ThreadStatus } from '../core/threads/thread.ts'
import type { Candidate, FetchFilter, ThreadFilter } from '../core/threads/thread-reads.ts'
import type { Instant } from '../core/time.ts'
import { makeAgentReads, readAgentNotes } from './agents/agent-reads.ts'
import { fitting, inLogOrder } from './fitting.ts'
import { type KeyRow, keyParams, replay } from './idempotency.ts'
import { makeIdentityReads } from './identity/identity-reads.ts'
import { makeInboxReads } from './inbox/inbox-reads.ts'
import { makeReceiptReads } from './inbox/receipt-reads.ts'
import type { SeldomLooks } from './seldom-reads.ts'
import { first, type Session } from './session.ts'
import {
  compare,
  type LeasedRow,
  splitLeased,
  type ThreadRow,
  toThread,
} from './threads/thread-row.ts'
import { makeWakeReads } from './waking/wake-reads.ts'

export function makeReads(session: Session, now: () => Promise<Instant>): Reads {
  return {
    now,
    async thread(threadId): Promise<ThreadState | null> {
      const row = await first(session.all<LeasedRow>('thread_get', { thread_id: threadId }))
      return row && splitLeased(row)
    },
    message: (messageId) => readMessage(session, messageId),
    async asking(threadId): Promise<Message | null> {
      const params = { thread_id: threadId }
      const [row, artifacts] = await Promise.all([
        first(session.all<Omit<Message, 'artifacts'>>('message_asking', params)),
        session.all<Artifact>('artifacts_asking', params),
      ])
      return row && { ...row, artifacts }
    },
    async messages(threadId, { after, limit }): Promise<Message[]> {
      type Row = Omit<Message, 'artifacts'>
      const params = { thread_id: threadId, after, limit }
      const bySeq = (a: Row, b: Row) => a.seq - b.seq
      const rows = await fitting(session, 'messages_of_thread', params, bySeq)
      const upto = rows.at(-1)?.seq ?? after
      const places = { thread_id: threadId, after, upto }
      const artifacts = await session.all<Artifact>('artifacts_of_thread', places)
      return rows.map((row) => ({
        ...row,
        artifacts: artifacts.filter((artifact) => artifact.message_id === row.message_id),
      }))
    },
    async hasWritten(threadId, agent) {
      const params = { thread_id: threadId, from_agent: agent }
      return (await session.all('messages_by', params)).length > 0
    },
    async lastEventId() {
      return eventId(await first(session.all<{ event_id: number }>('event_last', {})))
    },
    async everHeld(threadId, agent) {
      const found = await session.all('event_claimed_by', { thread_id: threadId, agent })
      return found.length > 0
    },
    readMark: (threadId, agent) =>
      first(session.all<ReadMark>('read_mark_get', { thread_id: threadId, agent })),
    ...makeInboxReads(session),
    ...makeAgentReads(session),
    ...makeReceiptReads(session),
    pushRow: (thread_id) => first(session.all<Push>('push_get', { thread_id })),
    ...makeWakeReads(session),
    ...makeIdentityReads(session),
  }
}

/** Everything a store answers outside a transaction, for either engine. */
export function makeStoreReads(
  session: Session,
  now: () => Promise<Instant>,
): Reads & Looks & Pick<Store, 'answered'> {
  return {
    ...makeReads(session, now),
    async answered(idempotency) {
      const row = await first(session.all<KeyRow>('key_get', keyParams(idempotency)))
      return row && replay(row, idempotency)
    },
    async standing() {
      const row = await first(session.all<{ event_id: number; now: Instant }>('log_standing', {}))
      if (row === null) throw new Error('the log has no end')
      return { end: row.event_id, now: row.now }
    },
    async standingOf(threadId) {
      type Row = LeasedRow & { log_end: number; now: Instant }
      const found = await first(session.all<Row>('thread_standing', { thread_id: threadId }))
      if (found === null) throw new Error('the log has no end')
      const { log_end: end, now, ...row } = found
      return { end, now, state: row.thread_id === null ? null : splitLeased(row) }
    },
    threads: (filter) => listThreads(session, filter),
    fetch: (filter) => fetchThreads(session, filter, now),
    events: (filter) => listEvents(session, filter),
    reply: (filter) => findReply(session, filter),
    eventOfMessage: (threadId, messageId) => findEventOfMessage(session, threadId, messageId),
    lastOwnEvent: (threadId, agent) => findOwnEvent(session, threadId, agent),
    agentNotes: (first, last) => readAgentNotes(session, first, last),
    floor: async () => Number((await readSetting(session, 'event_floor')) ?? 0),
    nextLapse: async () => {
      type Next = { expires_at: Instant | null }
      const [lease, delivery] = await Promise.all([
        first(session.all<Next>('lease_next_expiry', {})),
        first(session.all<Next>('delivery_next_expiry', {})),
      ])
      const times = [lease?.expires_at, delivery?.expires_at].filter((at) => at != null)
      return times.sort()[0] ?? null
    },
    ...seldomLooks(session),
  }
}

const SELDOM: Record<keyof SeldomLooks, true> = {
  wake: true,
  wakes: true,
  openWakes: true,
  waitsUntil: true,
  agentsConcerned: true,
  history: true,
  overview: true,
  pushes: true,
  push: true,
  unreadPushes: true,
  prunable: true,
  prunableMail: true,
  prunableWakes: true,
  prunablePushes: true,
  prunableTokens: true,
  mailTotals: true,
}

/** Loaded when the first is asked: the commands a worker calls all day need none of them. */
function seldomLooks(session: Session): SeldomLooks {
  type Look = (...asked: unknown[]) => Promise<unknown>
  const ask = async (name: string, asked: unknown[]) => {
    const { makeSeldomLooks } = await import('./seldom-reads.ts')
    return (makeSeldomLooks(session) as unknown as Record<string, Look>)[name]?.(...asked)
  }
  const looks = Object.keys(SELDOM).map((name) => [name, (...asked: unknown[]) => ask(name, asked)])
  return Object.fromEntries(looks) as SeldomLooks
}

async function readMessage(session: Session, messageId: string): Promise<Message | null> {
  const [row, artifacts] = await Promise.all([
    first(session.all<Omit<Message, 'artifacts'>>('message_get', { message_id: messageId })),
    artifactsOf(session, messageId),
  ])
  return row && { ...row, artifacts }
}

function artifactsOf(session: Session, message_id: string): Promise<Artifact[]> {
  return session.all<Artifact>('artifacts_of_message', { message_id })
}

function eventId(row: { event_id: number } | null): number {
  return row?.event_id ?? 0
}

async function listThreads(session: Session, filter: ThreadFilter): Promise<Thread[]> {
  const owners =
    filter.agent === undefined
      ? [{ assigned_to: filter.assignedTo, created_by: filter.createdBy }]
      : [
          { assigned_to: filter.agent, created_by: filter.createdBy },
          { assigned_to: filter.assignedTo, created_by: filter.agent },
        ]
  const parts = await Promise.all(
    owners.map((owner) =>
      session.all<ThreadRow>('threads_list', {
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
  return unique(parts.flat().map(toThread).filter(matches))
    .sort((a, b) => compare(b.updated_at, a.updated_at) || compare(b.thread_id, a.thread_id))
    .slice(0, filter.limit)
}

async function fetchThreads(
  session: Session,
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
          session.all<LeasedRow>('threads_fetch_pending', common),
          session.all<LeasedRow>('threads_fetch_lapsed', common),
          session.all<LeasedRow>('threads_fetch_role', common),
        ]
      : [
          ...filter.statuses.map((status) =>
            session.all<LeasedRow>('threads_fetch_status', { ...common, status }),
          ),
          ...(filter.statuses.includes('pending')
            ? [session.all<LeasedRow>('threads_fetch_role', common)]
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
    const held = (HELD_STATUSES as readonly ThreadStatus[]).includes(thread.status)
    const claimable = thread.status === 'pending' || (held && !isLive(lease, now))
    return { thread, lease, claimable }
  })
}

function listEvents(session: Session, filter: EventFilter): Promise<LoggedEvent[]> {
  const { after, agent, party, statuses, limit } = filter
  const without = filter.without.length > 0 ? filter.without : undefined
  const pushes_from = filter.pushesFrom
  const params = { after, agent, party, statuses, without, pushes_from, limit }
  return fitting(session, 'events_after', params, inLogOrder<LoggedEvent>)
}

/** A reply seldom has artifacts, and who waits for it should not wait for these as well. */
async function findReply(session: Session, filter: ReplyFilter) {
  const params = {
    thread_id: filter.threadId,
    after: filter.after,
    not_from: filter.notFrom,
    kinds: filter.kinds,
  }
  type Row = Omit<Message, 'artifacts'> & { event_id: number; artifact_count: number }
  const row = await first(session.all<Row>('reply_after', params))
  if (row === null) return null
  const { event_id, artifact_count, ...message } = row
  const artifacts = artifact_count === 0 ? [] : await artifactsOf(session, message.message_id)
  return { event_id, message: { ...message, artifacts } }
}

async function findOwnEvent(session: Session, threadId: string, agent: string) {
  const params = { thread_id: threadId, agent }
  return eventId(await first(session.all<{ event_id: number }>('event_last_own', params)))
}

async function findEventOfMessage(session: Session, threadId: string, messageId: string) {
  const params = { thread_id: threadId, message_id: messageId }
  const row = await first(session.all<{ event_id: number }>('event_of_message', params))
  return row?.event_id ?? null
}

export async function readSetting(session: Session, name: string): Promise<string | null> {
  return (await first(session.all<{ value: string }>('setting_get', { name })))?.value ?? null
}

function unique(threads: Thread[]): Thread[] {
  return [...new Map(threads.map((thread) => [thread.thread_id, thread])).values()]
}
