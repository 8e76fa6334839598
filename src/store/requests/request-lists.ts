// Lists of requests, read the same way on both engines. Every index separates the two tabs, so a list of both is
// merged from two lists.

import {
  type FoundRequests,
  MOST_COUNTED,
  MOST_TYPES,
  type RequestCounts,
  type RequestFilter,
  type RequestItem,
  type RequestNarrowing,
  type RequestScope,
  type RequestSearch,
} from '../../core/requests/request-reads.ts'
import { REQUESTS } from '../../core/requests/request-record.ts'
import type { Instant } from '../../core/time.ts'
import { first, type Querier } from '../querier.ts'
import { type StoredRow, toRecord } from '../record-row.ts'
import { lowerText } from '../threads/history-reads.ts'

type RequestRow = StoredRow & Pick<RequestItem, 'title' | 'imported_by'>
type RequestPlace = { created_at: Instant; thread_id: string; expires_at: Instant | null }

type ListFilter = Omit<RequestFilter, 'limit'>
type SortedByAge = Pick<RequestPlace, 'created_at' | 'thread_id'>

export async function listRequests(
  querier: Querier,
  filter: RequestFilter,
): Promise<RequestItem[]> {
  const { before, limit } = filter
  const top = await placeOf(querier, before)
  if (top === null) return []
  if (filter.soonestFirst === true) {
    const wanted = { part: undefined, linked: undefined, limit }
    return (await soonestPiece(querier, filter, { top, looks: limit, wanted })).items
  }
  return listed(querier, filter, { ...topParams(top), limit })
}

/** The expiry of a request that never expires, sorted after all others by both engines. */
const NEVER = '~'

/** The next places of a list ordered by expiry, in up to two parts, each read from the index. */
async function soonestPlaces(
  querier: Querier,
  filter: ListFilter,
  { top, limit }: { top: RequestPlace | undefined; limit: number },
): Promise<SortedByAge[]> {
  const params = { ...scopeParams(filter), over_expiry: undefined }
  if (top === undefined) {
    return querier.all<SortedByAge>('requests_soonest', { ...params, limit })
  }
  const expiry = top.expires_at ?? NEVER
  const after = { expiry, after_at: top.created_at, after_id: top.thread_id, limit }
  const same = await querier.all<SortedByAge>('requests_soonest_same', { ...params, ...after })
  const missing = limit - same.length
  if (missing === 0 || expiry === NEVER) return same
  const later = { ...params, over_expiry: expiry, limit: missing }
  return [...same, ...(await querier.all<SortedByAge>('requests_soonest', later))]
}

/** Searches this many requests of each tab, and returns those whose titles contain a text or that link to a thread. */
export async function searchRequests(
  querier: Querier,
  { title, linked, looks, ...filter }: RequestSearch,
): Promise<FoundRequests> {
  const top = await placeOf(querier, filter.before)
  if (top === null) return { items: [], bottom: null }
  const { limit } = filter
  const wanted = { part: title === undefined ? undefined : lowerText(title), linked, limit }
  const { items, bottom } =
    filter.soonestFirst === true
      ? await soonestPiece(querier, filter, { top, looks, wanted })
      : await newestPiece(querier, filter, { top, looks, wanted })
  const end = items.length < limit ? bottom : items.at(-1)
  return { items, bottom: end?.thread_id ?? null }
}

type SearchedPiece = {
  top: RequestPlace | undefined
  looks: number
  wanted: { part: string | undefined; linked: string | undefined; limit: number }
}
/** `bottom` is the last request examined; undefined if fewer were left. */
type FoundPiece = { items: RequestItem[]; bottom: SortedByAge | undefined }

async function soonestPiece(
  querier: Querier,
  filter: ListFilter,
  { top, looks, wanted }: SearchedPiece,
): Promise<FoundPiece> {
  const looked = await soonestPlaces(querier, filter, { top, limit: looks })
  if (looked.length === 0) return { items: [], bottom: undefined }
  const places = looked.map(({ thread_id }) => thread_id)
  const rows = await querier.all<RequestRow>('requests_soonest_found', { ...wanted, places })
  return { items: rows.map(toItem), bottom: looked[looks - 1] }
}

async function newestPiece(
  querier: Querier,
  filter: ListFilter,
  { top, looks, wanted }: SearchedPiece,
): Promise<FoundPiece> {
  const ends: SortedByAge[] = []
  for (const is_open of tabsOf(filter)) {
    const params = { ...scopeParams(filter), ...topParams(top), is_open, beyond: looks - 1 }
    ends.push(...(await querier.all<SortedByAge>('requests_bottom', params)))
  }
  // Below the end of one tab, not everything was searched.
  const bottom = ends.sort(newestFirst)[0]
  const range = { ...topParams(top), bottom_at: bottom?.created_at, bottom_id: bottom?.thread_id }
  return { items: await listed(querier, filter, { ...range, ...wanted }), bottom }
}

export async function countRequests(
  querier: Querier,
  { title, linked, ...scope }: RequestNarrowing,
): Promise<RequestCounts> {
  const isNarrowed = [title, linked, scope.risk].some((one) => one !== undefined)
  type Row = { is_open: number; request_type: string; n: number; looked?: number }
  const rows = isNarrowed
    ? await querier.all<Row>('requests_counts_narrowed', {
        ...scopeParams(scope),
        part: title === undefined ? undefined : lowerText(title),
        linked,
        tabs: [0, 1],
        most: MOST_COUNTED,
      })
    : await querier.all<Row>('requests_counts', {
        ...scopeParams(scope),
        most: MOST_COUNTED,
        most_types: MOST_TYPES,
      })
  const lookedAt = (tab: number) =>
    rows.reduce((sum, { is_open, looked = 0 }) => sum + (is_open === tab ? looked : 0), 0)
  return {
    counts: rows
      .filter(({ n }) => n > 0)
      .map(({ is_open, request_type, n }) => ({ request_type, n, isResolved: is_open === 0 })),
    cut: isNarrowed
      ? [0, 1].some((tab) => lookedAt(tab) >= MOST_COUNTED)
      : rows.length >= MOST_TYPES || rows.some(({ n }) => n >= MOST_COUNTED),
  }
}

async function listed(
  querier: Querier,
  filter: ListFilter,
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

/** Undefined is the top of the list, and null a request that doesn't exist. */
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
