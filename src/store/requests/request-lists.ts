// Lists of requests, read alike on both engines. Both tabs have their own place in every index, so a list of both is two
// lists that are merged.

import type {
  FoundRequests,
  RequestCount,
  RequestFilter,
  RequestItem,
  RequestScope,
  RequestSearch,
} from '../../core/requests/request-reads.ts'
import { MOST_COUNTED, MOST_TYPES } from '../../core/requests/request-reads.ts'
import { REQUESTS } from '../../core/requests/request-record.ts'
import type { Instant } from '../../core/time.ts'
import { first, type Querier } from '../querier.ts'
import { type StoredRow, toRecord } from '../record-row.ts'
import { lowered } from '../threads/history-reads.ts'

type RequestRow = StoredRow & Pick<RequestItem, 'title' | 'imported_by'>
type RequestPlace = { created_at: Instant; thread_id: string; expires_at: Instant | null }

type SortedByAge = Pick<RequestPlace, 'created_at' | 'thread_id'>

export async function listRequests(
  querier: Querier,
  filter: RequestFilter,
): Promise<RequestItem[]> {
  const { before, limit } = filter
  const top = await placeOf(querier, before)
  if (top === null) return []
  if (filter.soonestFirst === true) return listSoonest(querier, filter, top)
  return listed(querier, filter, { ...topParams(top), limit })
}

/** The moment of a request that never runs out, after every other as both engines sort. */
const NEVER = '~'

async function listSoonest(
  querier: Querier,
  filter: RequestFilter,
  after: RequestPlace | undefined,
): Promise<RequestItem[]> {
  const rows = await querier.all<RequestRow>('requests_soonest', {
    ...scopeParams(filter),
    after_expiry: after === undefined ? undefined : (after.expires_at ?? NEVER),
    after_at: after?.created_at,
    after_id: after?.thread_id,
    limit: filter.limit,
  })
  return rows.map(toItem)
}

/** Looks at so many requests of each tab, and finds those among them whose titles hold a text, or to which a thread belongs. */
export async function searchRequests(
  querier: Querier,
  { title, linked, looks, ...filter }: RequestSearch,
): Promise<FoundRequests> {
  const top = await placeOf(querier, filter.before)
  if (top === null) return { items: [], bottom: null }
  const ends: SortedByAge[] = []
  for (const is_open of tabsOf(filter)) {
    const params = { ...scopeParams(filter), ...topParams(top), is_open, beyond: looks - 1 }
    const end = await first(querier.all<SortedByAge>('requests_bottom', params))
    if (end !== null) ends.push(end)
  }
  // Below the end of one tab not all was looked at.
  const bottom = ends.sort(newestFirst)[0]
  const range = { ...topParams(top), bottom_at: bottom?.created_at, bottom_id: bottom?.thread_id }
  const { limit } = filter
  const part = title === undefined ? undefined : lowered(title)
  const items = await listed(querier, filter, { ...range, part, linked, limit })
  const end = items.length < limit ? bottom : items.at(-1)
  return { items, bottom: end?.thread_id ?? null }
}

export async function countRequests(
  querier: Querier,
  scope: RequestScope,
): Promise<RequestCount[]> {
  const params = { ...scopeParams(scope), most: MOST_COUNTED, most_types: MOST_TYPES }
  type Row = { is_open: number; request_type: string; n: number }
  const rows = await querier.all<Row>('requests_counts', params)
  return rows.map(({ is_open, ...count }) => ({ ...count, isResolved: is_open === 0 }))
}

async function listed(
  querier: Querier,
  filter: Omit<RequestFilter, 'limit'>,
  params: { limit: number } & Record<string, string | number | undefined>,
): Promise<RequestItem[]> {
  const found: RequestItem[] = []
  for (const is_open of tabsOf(filter)) {
    const unset = { bottom_at: undefined, part: undefined, linked: undefined }
    const wanted = { ...scopeParams(filter), ...unset, ...params }
    const rows = await querier.all<RequestRow>('requests_list', { ...wanted, is_open })
    found.push(...rows.map(toItem))
  }
  return found.sort(newestFirst).slice(0, params.limit)
}

/** Undefined is the top of the list, and null a request that is not there. */
async function placeOf(
  querier: Querier,
  thread_id: string | undefined,
): Promise<RequestPlace | undefined | null> {
  if (thread_id === undefined) return undefined
  return first(querier.all<RequestPlace>('request_place', { thread_id }))
}

function topParams(top: RequestPlace | undefined) {
  return { before_at: top?.created_at, before_id: top?.thread_id }
}

function tabsOf({ isResolved }: Pick<RequestFilter, 'isResolved'>): number[] {
  return isResolved === undefined ? [1, 0] : [isResolved ? 0 : 1]
}

function newestFirst(a: SortedByAge, b: SortedByAge): number {
  if (a.created_at !== b.created_at) return a.created_at < b.created_at ? 1 : -1
  return a.thread_id < b.thread_id ? 1 : -1
}

function toItem({ title, imported_by, ...row }: RequestRow): RequestItem {
  return { ...toRecord(REQUESTS, row), title, imported_by }
}

function scopeParams({
  requester,
  recipient,
  entityType,
  entityId,
  status,
  type,
  risk,
}: RequestScope & Partial<Pick<RequestFilter, 'status' | 'type' | 'risk'>>) {
  return {
    risk,
    status,
    requester,
    recipient,
    entity_type: entityType,
    entity_id: entityId,
    request_type: type,
  }
}
