// The history of messages, newest first, searched piece by piece. A piece is bounded by what it looks at, not by
// what it finds: on SQLite nobody else in this process is served meanwhile. Both engines count alike, so their
// pieces end at the same events.

import { PIECE_BYTES } from '../../core/page-bytes.ts'
import type { HistoryFilter, HistoryItem, HistoryPage } from '../../core/threads/log-reads.ts'
import { inLogOrder } from '../fitting-rows.ts'
import { first, type Querier } from '../querier.ts'

/** One look goes back over so many events and no more, whatever it searches for. */
const MOST_EVENTS = 500

type SizedMessage = { event_id: number; size: number }

export async function readHistory(querier: Querier, filter: HistoryFilter): Promise<HistoryPage> {
  const { before, threadId: thread_id, after, kinds, since, until, party, reader, limit } = filter
  const window = { before, thread_id, most: MOST_EVENTS }
  const row = await first(querier.all<{ event_id: number | null }>('history_window', window))
  const bottom = row?.event_id ?? 0
  const wanted = { before, bottom, thread_id, after, kinds, party, reader }
  const candidates =
    bottom === 0 ? [] : await querier.all<SizedMessage>('history_candidates', wanted)
  const part = filter.text === undefined ? undefined : lowered(filter.text)
  const isSearch = [part, since, until].some((one) => one !== undefined)
  const read = fitting(isSearch ? candidates : candidates.slice(0, limit))
  if (read.length === 0) return { items: [], bottom }
  const events = inFewLengths(read.map(({ event_id }) => event_id))
  const params = { events, since, until, part }
  const found = await querier.all<HistoryItem>('history_messages', params)
  found.sort((a, b) => inLogOrder(b, a))
  const items = found.slice(0, limit)
  const isCut = read.length < candidates.length
  const last = found.length > limit ? items.at(-1) : isCut ? read.at(-1) : undefined
  return { items, bottom: last?.event_id ?? bottom }
}

function fitting(candidates: readonly SizedMessage[]): SizedMessage[] {
  let ahead = 0
  return candidates.filter(({ size }) => {
    const fits = ahead < PIECE_BYTES
    ahead += size
    return fits
  })
}

/** Each length of a list is a statement of its own, and is kept; so there are only a few. */
export function inFewLengths<Id>(ids: readonly Id[]): Id[] {
  const length = 2 ** Math.ceil(Math.log2(ids.length))
  return [...ids, ...Array<Id>(length - ids.length).fill(ids[0] as Id)]
}

/** Lower case as both engines know it under plain byte order: the letters from a to z. */
export function lowered(text: string): string {
  return text.replace(/[A-Z]/g, (letter) => letter.toLowerCase())
}
