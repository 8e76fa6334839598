// Requests, read alike on both engines.

import { EFFECT_COMMANDS } from '../../core/requests/effect-command-record.ts'
import { EFFECTS } from '../../core/requests/effect-record.ts'
import { REQUEST } from '../../core/requests/request-kind.ts'
import type {
  DueRequest,
  RequestCount,
  RequestFilter,
  RequestItem,
  RequestLogItem,
  RequestLooks,
  RequestReads,
  RequestScope,
} from '../../core/requests/request-reads.ts'
import { REQUESTS } from '../../core/requests/request-record.ts'
import type { Instant } from '../../core/time.ts'
import { first, type Querier, readSetting, type Write } from '../querier.ts'
import { type StoredRow, toRecord } from '../record-row.ts'
import { lowered } from '../threads/history-reads.ts'

type RequestRow = StoredRow & Pick<RequestItem, 'title' | 'imported_by'>

const REQUEST_EVENTS = [REQUESTS, REQUEST, EFFECTS].flatMap(({ events }) => Object.keys(events))

const WARRANT_SEED = 'warrant_seed'

export function makeRequestReads(querier: Querier): RequestReads {
  return { warrantSeed: () => readSetting(querier, WARRANT_SEED) }
}

/** Two transactions may be the first at once: one insert wins, and both sign by the winner's. */
export function keepSeed(value: string): Write {
  return { query: 'setting_put_new', params: { name: WARRANT_SEED, value } }
}

export function makeRequestLooks(querier: Querier): RequestLooks {
  return {
    async openEffects(limit) {
      const rows = await querier.all<StoredRow & { request_type: string }>('effects_open', {
        limit,
      })
      return rows.map(({ request_type, ...row }) => ({ ...toRecord(EFFECTS, row), request_type }))
    },
    async effectCommands() {
      const rows = await querier.all<StoredRow>('effect_commands_all', {})
      return rows.map((row) => toRecord(EFFECT_COMMANDS, row))
    },
    requests: (filter) => listRequests(querier, filter),
    requestCounts: (scope) => countRequests(querier, scope),
    async requestsOfPayload(requester, payload_sha256) {
      const params = { requester, payload_sha256 }
      const rows = await querier.all<StoredRow>('requests_of_payload', params)
      return rows.map((row) => toRecord(REQUESTS, row))
    },
    requestLog: (thread_id) =>
      querier.all<RequestLogItem>('request_log', { thread_id, types: REQUEST_EVENTS }),
    dueRequests: (now, limit) => dueRequests(querier, now, limit),
  }
}

/** Each of the three is a range of its own index. */
async function dueRequests(querier: Querier, now: Instant, limit: number): Promise<DueRequest[]> {
  const found = await Promise.all([
    querier.all<DueRequest>('requests_held_due', { now, limit }),
    querier.all<DueRequest>('requests_remind_due', { now, limit }),
    querier.all<DueRequest>('requests_lapse_due', { now, limit }),
  ])
  return found
    .flat()
    .sort((a, b) => (a.due_at < b.due_at ? -1 : 1))
    .slice(0, limit)
}

async function listRequests(querier: Querier, filter: RequestFilter): Promise<RequestItem[]> {
  const { before, type, limit } = filter
  const place =
    before === undefined
      ? undefined
      : await first(querier.all<{ created_at: Instant }>('request_place', { thread_id: before }))
  if (place === null) return []
  const rows = await querier.all<RequestRow>('requests_list', {
    ...scopeParams(filter),
    is_open: filter.isResolved === undefined ? undefined : filter.isResolved ? 0 : 1,
    status: filter.status,
    request_type: type,
    before_at: place?.created_at,
    before_id: before,
    limit,
  })
  return rows.map(({ title, imported_by, ...row }) => ({
    ...toRecord(REQUESTS, row),
    title,
    imported_by,
  }))
}

function countRequests(querier: Querier, scope: RequestScope): Promise<RequestCount[]> {
  const { pattern, ...params } = scopeParams(scope)
  return pattern === undefined
    ? querier.all<RequestCount>('requests_counts', params)
    : querier.all<RequestCount>('requests_counts_titled', { ...params, pattern })
}

function scopeParams({ requester, recipient, entityType, entityId, title }: RequestScope) {
  return {
    requester,
    recipient,
    entity_type: entityType,
    entity_id: entityId,
    pattern: title === undefined ? undefined : partOf(title),
  }
}

function partOf(title: string): string {
  return `%${lowered(title).replace(/[~%_]/g, '~$&')}%`
}
