// The log: where it ends, what came after a cursor, what was said before. Read alike on both engines.

import type { LoggedEvent } from '../../core/event.ts'
import type { EventFilter, LogLooks, LogReads, ReplyFilter } from '../../core/threads/log-reads.ts'
import type { Message } from '../../core/threads/message.ts'
import type { Instant } from '../../core/time.ts'
import { fitting, inLogOrder } from '../fitting.ts'
import { first, readSetting, type Session } from '../session.ts'
import { readHistory } from './history-reads.ts'
import { artifactsOf } from './thread-reads.ts'
import { type LeasedRow, splitLeased } from './thread-row.ts'

export function makeLogReads(session: Session): LogReads {
  return {
    async lastEventId() {
      return eventId(await first(session.all<{ event_id: number }>('event_last', {})))
    },
  }
}

export function makeLogLooks(session: Session): LogLooks {
  return {
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
    events: (filter) => listEvents(session, filter),
    reply: (filter) => findReply(session, filter),
    eventOfMessage: (threadId, messageId) => findEventOfMessage(session, threadId, messageId),
    lastOwnEvent: (threadId, agent) => findOwnEvent(session, threadId, agent),
    floor: async () => Number((await readSetting(session, 'event_floor')) ?? 0),
    history: (filter) => readHistory(session, filter),
  }
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

function eventId(row: { event_id: number } | null): number {
  return row?.event_id ?? 0
}
