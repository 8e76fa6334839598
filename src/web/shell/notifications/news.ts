// Finds which rows are new. Rows that were there when the page loaded aren't, and neither are rows that come back
// unchanged, as a request does when its decision is undone.

type NewsRow = { thread_id: string; event_id: number; woken?: boolean }

export type RowMemory = {
  now: ReadonlySet<string>
  /** Every row seen so far, with its latest event id. */
  ever: ReadonlyMap<string, number>
}

export function compareRows<R extends NewsRow>(
  before: RowMemory | null,
  rows: readonly R[],
): { known: RowMemory; fresh: R[]; gone: string[] } {
  const now = new Set(rows.map(({ thread_id }) => thread_id))
  const ever = new Map(before?.ever)
  for (const { thread_id, event_id } of rows) ever.set(thread_id, event_id)
  const known = { now, ever }
  if (before === null) return { known, fresh: [], gone: [] }
  const fresh = rows.filter(({ thread_id, event_id, woken }) => {
    if (before.now.has(thread_id)) return false
    return woken === true || event_id > (before.ever.get(thread_id) ?? -1)
  })
  return { known, fresh, gone: [...before.now].filter((id) => !now.has(id)) }
}

/** More than this many notifications within `TOGETHER_MS` are combined into one. */
const MOST_ALONE = 3
const TOGETHER_MS = 30_000

export type PastTelling = { id: string; at: number }

/** Adds news to the recent notifications, and says whether to combine them all into one. */
export function gather(
  before: readonly PastTelling[],
  news: readonly { id: string }[],
  now: number,
): { told: PastTelling[]; isOne: boolean } {
  const lately = before.filter(({ at }) => now - at < TOGETHER_MS)
  const told = [...lately, ...news.map(({ id }) => ({ id, at: now }))]
  return { told, isOne: told.length > MOST_ALONE }
}
