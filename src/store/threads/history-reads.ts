// The history of messages, newest first, searched in bounded steps.

import type { HistoryFilter, HistoryItem, HistoryPage } from '../../core/threads/log-reads.ts'
import { inLogOrder, readFittingRows } from '../fitting-rows.ts'
import { first, type Querier } from '../querier.ts'

/** One look goes back over so many events and no more, whatever it searches for. */
const SCAN = 2000

export async function readHistory(querier: Querier, filter: HistoryFilter): Promise<HistoryPage> {
  const { before, threadId: thread_id, after, kinds, since, until, party, reader, limit } = filter
  const window = { before, thread_id, scan: SCAN }
  const row = await first(querier.all<{ event_id: number | null }>('history_window', window))
  const bottom = row?.event_id ?? 0
  if (bottom === 0) return { items: [], bottom }
  const pattern = filter.text === undefined ? undefined : patternOf(filter.text)
  const params = {
    before,
    bottom,
    thread_id,
    after,
    kinds,
    since,
    until,
    party,
    reader,
    pattern,
    limit,
  }
  const newestFirst = (a: HistoryItem, b: HistoryItem) => inLogOrder(b, a)
  const items = await readFittingRows(querier, 'history_page', params, newestFirst)
  return { items, bottom }
}

/** Lower case as both engines know it under plain byte order: the letters from a to z. */
function patternOf(text: string): string {
  const lower = text.replace(/[A-Z]/g, (letter) => letter.toLowerCase())
  return `%${lower.replace(/[~%_]/g, '~$&')}%`
}
