import type { AgentRun } from '../../core/requests/agent-run-record.ts'
import { EFFECT_COMMANDS } from '../../core/requests/effect-command-record.ts'
import { EFFECTS } from '../../core/requests/effect-record.ts'
import { REQUEST } from '../../core/requests/request-kind.ts'
import {
  type AgentRunFilter,
  type AgentRunItem,
  type DueRequest,
  type FoundRequests,
  MOST_COUNTED,
  MOST_TYPES,
  type OpenEffect,
  type RequestCounts,
  type RequestFilter,
  type RequestItem,
  type RequestLogItem,
  type RequestLooks,
  type RequestNarrowing,
  type RequestReads,
  type RequestScope,
  type RequestSearch,
  type WaitingRequest,
} from '../../core/requests/request-reads.ts'
import { REQUESTS } from '../../core/requests/request-record.ts'
import type { Requirement } from '../../core/requests/requirement-record.ts'
import { WARRANT_SEED } from '../../core/requests/warrant.ts'
import type { Instant } from '../../core/time.ts'
import { first, type Querier, readSetting } from '../querier.ts'
import { readRecords } from '../record-reads.ts'
import { type StoredRow, toItem } from '../record-row.ts'
import { lowerText } from '../threads/history-reads.ts'

const REQUEST_EVENTS = [REQUESTS, REQUEST, EFFECTS].flatMap(({ events }) => Object.keys(events))

export function makeRequestReads(querier: Querier): RequestReads {
  return {
    warrantSeed: () => readSetting(querier, WARRANT_SEED.fixed.name),
    requestLog: (thread_id) =>
      querier.all<RequestLogItem>('request_log', { thread_id, types: REQUEST_EVENTS }),
    openRun: (agent_id, folder) =>
      first(querier.all<AgentRun>('agent_run_open', { agent_id, folder })),
    reviewOf: (requester, review_id) =>
      first(readRecords(querier, REQUESTS, 'request_of_review', { requester, review_id })),
    unaskedRuns: (limit) => querier.all<AgentRun>('agent_runs_unasked', { limit }),
    requirements: (holders) => querier.all<Requirement>('requirements_all', { holders }),
  }
}

export function makeRequestLooks(querier: Querier): RequestLooks {
  return {
    async openEffects(limit) {
      type Row = StoredRow & Pick<OpenEffect, 'request_type'>
      const rows = await querier.all<Row>('effects_open', { limit })
      return rows.map((row) => toItem(EFFECTS, row))
    },
    effectCommands: () => readRecords(querier, EFFECT_COMMANDS, 'effect_commands_all', {}),
    requests: (filter) => listRequests(querier, filter),
    searchRequests: (search) => searchRequests(querier, search),
    requestCounts: (scope) => countRequests(querier, scope),
    requestsOfPayload: (requester, payload_sha256) =>
      readRecords(querier, REQUESTS, 'requests_of_payload', { requester, payload_sha256 }),
    waitingRequests: ({ before, requester, limit }) =>
      querier.all<WaitingRequest>('requests_waiting', { before, requester, limit }),
    dueRequests: (now, limit) => dueRequests(querier, now, limit),
    agentRuns: (filter) => listAgentRuns(querier, filter),
  }
}

/** Each of the three queries reads a range of a separate index. */
async function dueRequests(querier: Querier, by: Instant, limit: number): Promise<DueRequest[]> {
  const found = await Promise.all([
    querier.all<DueRequest>('requests_held_due', { by, limit }),
    querier.all<DueRequest>('requests_remind_due', { by, limit }),
    querier.all<DueRequest>('requests_lapse_due', { by, limit }),
  ])
  return found
    .flat()
    .sort((a, b) => (a.due_at < b.due_at ? -1 : 1))
    .slice(0, limit)
}

/** Every column of an agent run is stored unchanged, so its rows need no conversion. */
async function listAgentRuns(
  querier: Querier,
  { agent, status, agentRunId, before, limit }: AgentRunFilter,
): Promise<AgentRunItem[]> {
  const place =
    before === undefined
      ? undefined
      : await first(querier.all<{ began_at: Instant }>('agent_run_place', { agent_run_id: before }))
  if (place === null) return []
  return querier.all<AgentRunItem>('agent_runs_list', {
    agent_id: agent,
    status,
    agent_run_id: agentRunId,
    before_at: place?.began_at,
    before_id: before,
    limit,
  })
}

type RequestRow = StoredRow & Pick<RequestItem, 'title' | 'imported_by'>
type RequestPlace = { created_at: Instant; thread_id: string; expires_at: Instant | null }

type ListFilter = Omit<RequestFilter, 'limit'>
type SortedByAge = Pick<RequestPlace, 'created_at' | 'thread_id'>

// Every index separates the two tabs, so a list of both is merged from two lists.

async function listRequests(querier: Querier, filter: RequestFilter): Promise<RequestItem[]> {
  const { before, limit } = filter
  const top = await placeOf(querier, before)
  if (top === null) return []
  if (filter.soonestFirst === true) {
    const wanted = { part: undefined, linked: undefined, limit }
    return (await soonestPiece(querier, filter, { top, looks: limit, wanted })).items
  }
  return listed(querier, filter, { ...topParams(top), limit })
}

/** Stands for the expiry of a request that never expires. Both engines sort it after all others. */
const NEVER = '~'

/** Reads the next places of a list ordered by expiry, in up to two parts, each from an index. */
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

/** Searches `looks` requests of each tab for those whose title contains a string or that link to a thread. */
async function searchRequests(
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
/** `bottom` is the last request examined, or undefined if the search reached the end of the list. */
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
  return { items: rows.map((row) => toItem(REQUESTS, row)), bottom: looked[looks - 1] }
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
  // Not every tab was searched below the higher of these two ends, so the results stop there.
  const bottom = ends.sort(newestFirst)[0]
  const range = { ...topParams(top), bottom_at: bottom?.created_at, bottom_id: bottom?.thread_id }
  return { items: await listed(querier, filter, { ...range, ...wanted }), bottom }
}

async function countRequests(
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
    found.push(...rows.map((row) => toItem(REQUESTS, row)))
  }
  return found.sort(newestFirst).slice(0, params.limit)
}

/** Undefined means the top of the list; null means that the request doesn't exist. */
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
