// The history of messages, newest first, searched piece by piece. A piece is limited by how much it examines, not by
// how much it finds, because on SQLite it keeps the other callers in this process waiting. Both engines count the same
// way, so their pieces end at the same events.

import { PIECE_BYTES } from '../../core/page-bytes.ts'
import type {
  HistoryCounts,
  HistoryFilter,
  HistoryItem,
  HistoryPage,
} from '../../core/threads/log-reads.ts'
import { first, inLogOrder, type Querier } from '../querier.ts'

/** Each look examines at most this many events, whatever it searches for. */
const MOST_EVENTS = 500

type SizedMessage = { event_id: number; size: number }

/** Counting can examine more events if it doesn't read message contents. */
const MOST_COUNTED = 5000

type KindCount = HistoryCounts['counts'][number]

export async function readHistory(querier: Querier, filter: HistoryFilter): Promise<HistoryPage> {
  const { limit } = filter
  const window = await windowOf(querier, filter, MOST_EVENTS)
  if (window === null) return { items: [], bottom: 0 }
  const candidates = await querier.all<SizedMessage>('history_candidates', wanted(filter, window))
  const read = fitting(readsTexts(filter) ? candidates : candidates.slice(0, limit))
  if (read.length === 0) return { items: [], bottom: window.next }
  const found = await querier.all<HistoryItem>('history_messages', matching(filter, read))
  found.sort((a, b) => inLogOrder(b, a))
  const items = found.slice(0, limit)
  const isCut = read.length < candidates.length
  const last = found.length > limit ? items.at(-1) : isCut ? read.at(-1) : undefined
  return { items, bottom: last?.event_id ?? window.next }
}

export async function countHistory(
  querier: Querier,
  filter: Omit<HistoryFilter, 'limit'>,
): Promise<HistoryCounts> {
  const isSearch = readsTexts(filter)
  const window = await windowOf(querier, filter, isSearch ? MOST_EVENTS : MOST_COUNTED)
  if (window === null) return { counts: [], bottom: 0 }
  if (!isSearch) {
    const counts = await querier.all<KindCount>('history_kinds', wanted(filter, window))
    return { counts, bottom: window.next }
  }
  const candidates = await querier.all<SizedMessage>('history_candidates', wanted(filter, window))
  const read = fitting(candidates)
  if (read.length === 0) return { counts: [], bottom: window.next }
  const counts = await querier.all<KindCount>('history_matching', matching(filter, read))
  const last = read.length < candidates.length ? read.at(-1) : undefined
  return { counts, bottom: last?.event_id ?? window.next }
}

/** The events that one look covers, and where the next one continues. Null if there are none to look at. */
type LookWindow = { before: number; bottom: number; next: number }

async function windowOf(
  querier: Querier,
  { before, threadId: thread_id, messageId: message_id }: Omit<HistoryFilter, 'limit'>,
  most: number,
): Promise<LookWindow | null> {
  if (message_id !== undefined) {
    const place = await first(querier.all<{ event_id: number }>('history_place', { message_id }))
    if (place === null || place.event_id >= before) return null
    return { before: place.event_id + 1, bottom: place.event_id, next: 0 }
  }
  const params = { before, thread_id, most }
  const row = await first(querier.all<{ event_id: number | null }>('history_window', params))
  const bottom = row?.event_id ?? 0
  return bottom === 0 ? null : { before, bottom, next: bottom }
}

type Search = Omit<HistoryFilter, 'limit'>

function wanted(filter: Search, { before, bottom }: LookWindow) {
  const { threadId, workspaceId, after, kinds, party, reader, sentBy, gotBy } = filter
  const names = { thread_id: threadId, workspace_id: workspaceId, sent_by: sentBy, got_by: gotBy }
  return { before, bottom, after, kinds, party, reader, ...names }
}

function readsTexts({ text, since, until }: Search): boolean {
  return [text, since, until].some((one) => one !== undefined)
}

function matching({ text, since, until }: Search, read: readonly SizedMessage[]) {
  const events = inFewLengths(read.map(({ event_id }) => event_id))
  return { events, since, until, part: text === undefined ? undefined : lowerText(text) }
}

function fitting(candidates: readonly SizedMessage[]): SizedMessage[] {
  let ahead = 0
  return candidates.filter(({ size }) => {
    const fits = ahead < PIECE_BYTES
    ahead += size
    return fits
  })
}

/** Each list length requires a separate prepared statement, so only a few lengths are used. */
export function inFewLengths<Id>(ids: readonly Id[]): Id[] {
  const length = 2 ** Math.ceil(Math.log2(ids.length))
  return [...ids, ...Array<Id>(length - ids.length).fill(ids[0] as Id)]
}

/** Lowercases only A to Z, as both engines do when they use plain byte order. */
export function lowerText(text: string): string {
  return text.replace(/[A-Z]/g, (letter) => letter.toLowerCase())
}
