// Reads outside a transaction that few commands need: what the broker, `status`, `prune` and a look
// into history ask.

import type { RetentionLooks } from '../core/keeping/retention-reads.ts'
import type { PushLooks } from '../core/pushes/push-reads.ts'
import type { Lease } from '../core/threads/lease.ts'
import type { LogLooks } from '../core/threads/log-reads.ts'
import { type ThreadStatus, WORK_STATUSES, type WorkStatus } from '../core/threads/thread.ts'
import type { Overview, Question, ThreadLooks } from '../core/threads/thread-reads.ts'
import type { Instant } from '../core/time.ts'
import type { Wake } from '../core/waking/wake.ts'
import type { WakeLooks } from '../core/waking/wake-reads.ts'
import { makeRetentionLooks } from './keeping/retention-reads.ts'
import { makePushLooks } from './pushes/push-reads.ts'
import { first, type Session } from './session.ts'
import { readHistory } from './threads/history-reads.ts'
import { type LeasedRow, splitLeased, type ThreadRow, toThread } from './threads/thread-row.ts'

export type SeldomLooks = WakeLooks &
  PushLooks &
  RetentionLooks &
  Pick<ThreadLooks, 'overview'> &
  Pick<LogLooks, 'history'>

export function makeSeldomLooks(session: Session): SeldomLooks {
  return {
    ...makeWakeLooks(session),
    history: (filter) => readHistory(session, filter),
    overview: (limit) => readOverview(session, limit),
    ...makePushLooks(session),
    ...makeRetentionLooks(session),
  }
}

function makeWakeLooks(session: Session): WakeLooks {
  return {
    wake: (wake_id) => first(session.all<Wake>('wake_get', { wake_id })),
    wakes: ({ agent, limit }) => session.all<Wake>('wakes_list', { agent_id: agent, limit }),
    openWakes: (limit) => session.all<Wake>('wakes_open', { limit }),
    async waitsUntil(agent_id) {
      const row = await first(session.all<{ until: Instant | '' }>('waits_until', { agent_id }))
      return row?.until || null
    },
    async agentsConcerned(after) {
      const [mailed, changed] = await Promise.all([
        session.all<{ agent_id: string }>('agents_mailed', { after }),
        session.all<{ payload_json: string }>('agent_events', { after }),
      ])
      const facts = changed.map(
        ({ payload_json }) => JSON.parse(payload_json) as { agent_id?: string },
      )
      const names = [...mailed, ...facts].flatMap(({ agent_id }) => agent_id ?? [])
      return [...new Set(names)]
    },
  }
}

async function readOverview(session: Session, limit: number): Promise<Overview> {
  const [statuses, messages, events, oldest, blocked, expiring] = await Promise.all([
    session.all<{ status: ThreadStatus; n: number }>('threads_count', {}),
    first(session.all<{ n: number }>('messages_count', {})),
    first(session.all<{ n: number }>('events_count', {})),
    first(session.all<ThreadRow>('threads_oldest_pending', {})),
    session.all<ThreadRow>('threads_list', {
      statuses: ['blocked'],
      assigned_to: undefined,
      created_by: undefined,
      before_at: undefined,
      limit,
    }),
    session.all<Lease>('leases_expiring', { limit }),
  ])
  const count = (status: ThreadStatus) => statuses.find((row) => row.status === status)?.n ?? 0
  const questions = await Promise.all(
    blocked.map((row) =>
      first(session.all<Question>('latest_question', { thread_id: row.thread_id })),
    ),
  )
  const held = await Promise.all(
    expiring.map((lease) =>
      first(session.all<LeasedRow>('thread_get', { thread_id: lease.thread_id })),
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
