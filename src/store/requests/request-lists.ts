// Lists of requests, read alike on both engines. Both tabs have their own place in every index, so a list of both is two
// lists that are merged.

import type {
  FoundRequests,
  RequestCounts,
  RequestFilter,
  RequestItem,
  RequestNarrowing,
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

type SoonestPiece = {
  top: RequestPlace | undefined
  bottom?: PieceEnd | undefined
  part?: string | undefined
  linked?: string | undefined
  limit: number
}

type SortedByAge = Pick<RequestPlace, 'created_at' | 'thread_id'>
/** Only a list that begins with what runs out first asks when the last of a piece does. */
type PieceEnd = SortedByAge & Partial<RequestPlace>

export async function listRequests(
  querier: Querier,
  filter: RequestFilter,
): Promise<RequestItem[]> {
  const { before, limit } = filter
  const top = await placeOf(querier, before)
  if (top === null) return []
  if (filter.soonestFirst === true) return listSoonest(querier, filter, { top, limit })
  return listed(querier, filter, { ...topParams(top), limit })
}

/** The moment of a request that never runs out, after every other as both engines sort. */
const NEVER = '~'

async function listSoonest(
  querier: Querier,
  filter: Omit<RequestFilter, 'limit'>,
  { top, bottom, ...rest }: SoonestPiece,
): Promise<RequestItem[]> {
  const rows = await querier.all<RequestRow>('requests_soonest', {
    ...{ part: undefined, linked: undefined },
    ...scopeParams(filter),
    ...afterParams(top),
    end_expiry: bottom === undefined ? undefined : (bottom.expires_at ?? NEVER),
    end_at: bottom?.created_at,
    end_id: bottom?.thread_id,
    ...rest,
  })
  return rows.map(toItem)
}

/** Looks at so many requests of each tab, and finds those among them whose titles hold a text, or to which a thread belongs. */
export async function searchRequests(
  querier: Querier,
  { title, linked, looks, limit, ...filter }: RequestSearch,
): Promise<FoundRequests> {
  const top = await placeOf(querier, filter.before)
  if (top === null) return { items: [], bottom: null }
  const bottom = await bottomOf(querier, filter, { top, looks })
  const part = title === undefined ? undefined : lowered(title)
  const items =
    filter.soonestFirst === true
      ? await listSoonest(querier, filter, { top, bottom, part, linked, limit })
      : await listed(querier, filter, {
          ...topParams(top),
          ...{ bottom_at: bottom?.created_at, bottom_id: bottom?.thread_id },
          ...{ part, linked, limit },
        })
  const end = items.length < limit ? bottom : items.at(-1)
  return { items, bottom: end?.thread_id ?? null }
}

/** The last request of a piece; undefined where fewer are left. */
async function bottomOf(
  querier: Querier,
  filter: Omit<RequestFilter, 'limit'>,
  { top, looks }: { top: RequestPlace | undefined; looks: number },
): Promise<PieceEnd | undefined> {
  const scope = { ...scopeParams(filter), beyond: looks - 1 }
  if (filter.soonestFirst === true) {
    const params = { ...scope, ...afterParams(top) }
    return (await querier.all<RequestPlace>('requests_bottom_soonest', params))[0]
  }
  const ends: SortedByAge[] = []
  for (const is_open of tabsOf(filter)) {
    const params = { ...scope, ...topParams(top), is_open }
    ends.push(...(await querier.all<SortedByAge>('requests_bottom', params)))
  }
  // Below the end of one tab not all was looked at.
  return ends.sort(newestFirst)[0]
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
        ...{ part: title === undefined ? undefined : lowered(title), linked },
        ...{ tabs: [0, 1], most: MOST_COUNTED },
      })
    : await querier.all<Row>('requests_counts', {
        ...scopeParams(scope),
        ...{ most: MOST_COUNTED, most_types: MOST_TYPES },
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

/** The place after which a list goes on that begins with what runs out first. */
function afterParams(top: RequestPlace | undefined) {
  return {
    after_expiry: top === undefined ? undefined : (top.expires_at ?? NEVER),
    after_at: top?.created_at,
    after_id: top?.thread_id,
  }
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
