// Which of the rows are news. What was there when the page came is none, and neither is what comes back unchanged, as a
// request does when a decision is taken back.

type NewsRow = { thread_id: string; event_id: number; woken?: boolean }

export type RowMemory = {
  /** The rows at the latest look. */
  now: ReadonlySet<string>
  /** Every row that was ever there, with the place it had in the log. */
  ever: ReadonlyMap<string, number>
}

export function compare<R extends NewsRow>(
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

/** More than so many within so long are told as one. */
const MOST_ALONE = 3
const TOGETHER_MS = 30_000

export type PastTelling = { id: string; at: number }

/** The tellings of late, with the news, and whether they are so many that they are told as one. */
export function gather(
  before: readonly PastTelling[],
  news: readonly { id: string }[],
  now: number,
): { told: PastTelling[]; isOne: boolean } {
  const lately = before.filter(({ at }) => now - at < TOGETHER_MS)
  const told = [...lately, ...news.map(({ id }) => ({ id, at: now }))]
  return { told, isOne: told.length > MOST_ALONE }
}
