import type { LoggedEvent } from '../../core/event.ts'
import type { EventFilter, LogLooks, LogReads, ReplyFilter } from '../../core/threads/log-reads.ts'
import type { Message } from '../../core/threads/message.ts'
import type { Instant } from '../../core/time.ts'
import { first, inLogOrder, type Querier, readFittingRows, readSetting } from '../querier.ts'
import { countHistory, readHistory } from './history-reads.ts'
import { artifactsOf } from './thread-reads.ts'
import { type LeasedRow, splitLeased } from './thread-row.ts'

export function makeLogReads(querier: Querier): LogReads {
  return {
    async lastEventId() {
      return eventId(await first(querier.all<{ event_id: number }>('event_last', {})))
    },
  }
}

export function makeLogLooks(querier: Querier): LogLooks {
  return {
    async standing() {
      const row = await first(querier.all<{ event_id: number; now: Instant }>('log_standing', {}))
      if (row === null) throw new Error('the log has no end')
      return { end: row.event_id, now: row.now }
    },
    async standingOf(threadId) {
      type Row = LeasedRow & { log_end: number; now: Instant }
      const found = await first(querier.all<Row>('thread_standing', { thread_id: threadId }))
      if (found === null) throw new Error('the log has no end')
      const { log_end: end, now, ...row } = found
      return { end, now, state: row.thread_id === null ? null : splitLeased(row) }
    },
    events: (filter) => listEvents(querier, filter),
    reply: (filter) => findReply(querier, filter),
    eventOfMessage: (threadId, messageId) => findEventOfMessage(querier, threadId, messageId),
    lastOwnEvent: (threadId, agent) => findOwnEvent(querier, threadId, agent),
    floor: async () => Number((await readSetting(querier, 'event_floor')) ?? 0),
    history: (filter) => readHistory(querier, filter),
    countHistory: (filter) => countHistory(querier, filter),
  }
}

function listEvents(querier: Querier, filter: EventFilter): Promise<LoggedEvent[]> {
  const { after, agent, party, statuses, limit } = filter
  const without = filter.without.length > 0 ? filter.without : undefined
  const pushes_from = filter.pushesFrom
  const params = { after, agent, party, statuses, without, pushes_from, limit }
  return readFittingRows(querier, 'events_after', params, inLogOrder<LoggedEvent>)
}

/** Few replies have artifacts, so a caller waiting for one shouldn't also wait for a query that finds none. */
async function findReply(querier: Querier, filter: ReplyFilter) {
  const params = {
    thread_id: filter.threadId,
    after: filter.after,
    not_from: filter.notFrom,
    kinds: filter.kinds,
  }
  type Row = Omit<Message, 'artifacts'> & { event_id: number; artifact_count: number }
  const row = await first(querier.all<Row>('reply_after', params))
  if (row === null) return null
  const { event_id, artifact_count, ...message } = row
  const artifacts = artifact_count === 0 ? [] : await artifactsOf(querier, message.message_id)
  return { event_id, message: { ...message, artifacts } }
}

async function findOwnEvent(querier: Querier, threadId: string, agent: string) {
  const params = { thread_id: threadId, agent }
  return eventId(await first(querier.all<{ event_id: number }>('event_last_own', params)))
}

async function findEventOfMessage(querier: Querier, threadId: string, messageId: string) {
  const params = { thread_id: threadId, message_id: messageId }
  const row = await first(querier.all<{ event_id: number }>('event_of_message', params))
  return row?.event_id ?? null
}

function eventId(row: { event_id: number } | null): number {
  return row?.event_id ?? 0
}
