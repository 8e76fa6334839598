// The inbox's rows: pages of `desk list` in the query cache.
// 1. At the top, the list is only the newest page. An event refetches it, and new rows appear immediately.
// 2. Below the top, nothing moves. The pages stay as they are and only grow at both ends. An event refetches the newest
// page separately, to count what's new, and the visible rows, to update whether they are unread.
// 3. A change by the person shows immediately, even in responses that the server sent before it had the change.

import {
  type InfiniteData,
  infiniteQueryOptions,
  queryOptions,
  useInfiniteQuery,
  useQuery,
} from '@tanstack/react-query'
import { useCallback, useEffect, useEffectEvent, useMemo, useRef, useState } from 'react'
import { BACK_ABOVE } from '../../../core/desk/desk-reads.ts'
import { call, type PageInput } from '../../api/call.ts'
import { everyPage } from '../../api/pages.ts'
import { firstIsHere, queries } from '../../api/queries.ts'
import { useLatest } from '../../ui/store.ts'
import type { WindowRange } from '../../ui/window-layout.ts'
import type { ListedPage, ListedRow, PageEdit, PagePlace } from './page.ts'
import { type InboxFilters, isFiltered } from './search.ts'

type ListedPages = InfiniteData<ListedPage, PagePlace>

const PAGE = 100
/** Grouping by workspace only makes sense with many rows. */
const GROUPED_PAGE = 500
/** 2,000 rows in memory. Pages further away are dropped and fetched again when they are scrolled to. */
const MOST_PAGES = 20
/** The next page is fetched when its first row is this many rows away. */
const AHEAD = 50
/**
 * One page of a search looks at a few hundred rows. After this many empty pages the person decides whether to continue.
 */
const MOST_EMPTY_PAGES = 40
/** A snooze ends by the clock, without an event, so the list is also refetched at this interval. */
const REFETCH_MS = 60_000

export type Desk = ReturnType<typeof makeDesk>

function makeDesk(filters: InboxFilters) {
  const { view, ws, agent, q, group } = filters
  const filter: PageInput<'desk list'> = {
    ...(view === 'unread' ? { unread: true } : {}),
    ...(view === 'snoozed' ? { snoozed: true } : {}),
    ...(ws === undefined ? {} : { workspace: ws }),
    ...(agent === undefined ? {} : { from: agent }),
    ...(q === undefined ? {} : { text: q }),
  }
  const limit = group === undefined ? PAGE : GROUPED_PAGE
  const newestInput = {
    ...filter,
    ...(isFiltered(filters) ? {} : { with_needs_you: true }),
    limit,
  }
  /** A list grouped by workspace grows with a button, and a search only loads downward, so neither drops pages. */
  const isOpenEnded = group === undefined && q === undefined
  const changes = new Set<ShownChange>()

  async function fetchPage(place: PagePlace, signal?: AbortSignal): Promise<ListedPage> {
    const askedAt = Date.now()
    const isTop = place.before === undefined && place.after === undefined
    const input = isTop ? newestInput : { ...filter, limit, ...place }
    const page = await call('desk list', input, signal === undefined ? {} : { signal }).finally(
      firstIsHere,
    )
    let shown = page
    for (const change of changes) {
      if (change.doneAt < askedAt) changes.delete(change)
      else shown = change.edit(shown, place)
    }
    return shown
  }
  const newest = queryOptions({
    queryKey: ['desk list', newestInput] as const,
    queryFn: ({ signal }) => fetchPage({}, signal),
    refetchInterval: REFETCH_MS,
  })
  const pages = infiniteQueryOptions({
    queryKey: ['desk list', newestInput, 'pages'] as const,
    queryFn: ({ signal, pageParam }) => fetchPage(pageParam, signal),
    initialPageParam: {} as PagePlace,
    getNextPageParam: ({ next_before: before }) => (before === null ? undefined : { before }),
    getPreviousPageParam: ({ next_after: after }) =>
      after === null || !isOpenEnded ? undefined : { after },
    ...(isOpenEnded ? { maxPages: MOST_PAGES } : {}),
    refetchInterval: REFETCH_MS,
  })
  const shownPages = () => queries.getQueryData<ListedPages>(pages.queryKey)
  /** Replaces all pages. Cancels pending fetches, because they would bring back the old ones. */
  function setPages(page: ListedPage, place: PagePlace): void {
    void queries.cancelQueries({ queryKey: pages.queryKey })
    queries.setQueryData<ListedPages>(pages.queryKey, { pages: [page], pageParams: [place] })
  }

  /** Remembers the newest page, so that leaving the top doesn't have to ask for it again. Returns when it was fetched. */
  function leaveTop(): number {
    const state = queries.getQueryState<ListedPages>(pages.queryKey)
    const [first] = state?.data?.pages ?? []
    if (first === undefined || !startsAtTop(state?.data) || state?.fetchStatus !== 'idle') return 0
    queries.setQueryData(newest.queryKey, first, { updatedAt: state.dataUpdatedAt })
    return state.dataUpdatedAt
  }

  return {
    newest,
    pages,
    leaveTop,
    /** Shows the newest page and drops the others. Call this only away from the top, where `newest` is live. */
    showNewest(): void {
      const page = queries.getQueryData(newest.queryKey)
      if (page !== undefined) setPages(page, {})
      void queries.invalidateQueries({ queryKey: pages.queryKey })
    },
    /** Call this when the person has scrolled up to the first loaded row. */
    returnToTop(): void {
      if ((shownPages()?.pages[0]?.next_after ?? null) === null) this.showNewest()
    },
    /** Resets the cache to its state when the list was opened, at the top. */
    rewind(): void {
      const [first] = shownPages()?.pages ?? []
      if (first !== undefined && startsAtTop(shownPages())) setPages(first, {})
      else queries.removeQueries({ queryKey: pages.queryKey })
    },
    async showEnd(): Promise<void> {
      if (!isOpenEnded) return
      const page = await fetchPage({ after: 0 })
      leaveTop()
      setPages(page, { after: 0 })
    },
    /** Shows the page around a thread that may be anywhere in the list. False if it isn't in the list. */
    async showAround(id: string): Promise<boolean> {
      if (!isOpenEnded) return false
      const page = await call('desk list', { ...newestInput, around: id }).catch(() => null)
      const [first] = page?.rows ?? []
      const isThere = page?.rows.some(({ thread_id }) => thread_id === id) ?? false
      if (page === null || first === undefined || !isThere) return false
      leaveTop()
      setPages(page, page.next_after === null ? {} : { before: first.event_id + 1 })
      return true
    },
    /** Updates rows that are shown. Rows that have since moved up stay where they are. */
    updateRows(rows: readonly ListedRow[]): void {
      const fresh = new Map(rows.map((row) => [row.thread_id, row]))
      const update = (row: ListedRow) => {
        const now = fresh.get(row.thread_id)
        if (now === undefined) return row
        return now.event_id === row.event_id ? now : { ...row, unread: now.unread }
      }
      queries.setQueryData<ListedPages>(
        pages.queryKey,
        (data) =>
          data && {
            ...data,
            pages: data.pages.map((page) => ({ ...page, rows: page.rows.map(update) })),
          },
      )
    },
    /** Shows a change immediately. Call the returned function once the server has it. */
    change(edit: PageEdit): () => void {
      const change: ShownChange = { edit, doneAt: Number.POSITIVE_INFINITY }
      changes.add(change)
      // A response that's still on its way would bring back the rows from before the change.
      void queries.cancelQueries({ queryKey: newest.queryKey })
      queries.setQueryData(newest.queryKey, (page) => page && edit(page, {}))
      queries.setQueryData<ListedPages>(
        pages.queryKey,
        (data) =>
          data && {
            ...data,
            pages: data.pages.map((page, at) => edit(page, data.pageParams[at] ?? {})),
          },
      )
      return () => {
        change.doneAt = Date.now()
      }
    },
    /** Returns all rows that match, including those that aren't loaded. */
    async allRows(most: number): Promise<ListedRow[]> {
      const found: ListedRow[] = []
      for await (const { rows } of everyPage('desk list', { ...filter, limit: 500 })) {
        found.push(...rows)
        if (found.length >= most) break
      }
      return found.slice(0, most)
    },
    rowsBelow: (before: number, count: number) =>
      call('desk list', { ...filter, before, limit: count }),
  }
}

/** Whether the first page is the newest one, which includes what's new after each refetch. */
function startsAtTop(data: InfiniteData<ListedPage, unknown> | undefined): boolean {
  const [place] = (data?.pageParams ?? []) as PagePlace[]
  return place !== undefined && place.before === undefined && place.after === undefined
}

type ShownChange = { edit: PageEdit; doneAt: number }

export type ShownDesk = ReturnType<typeof useDesk>

/** The live rows for the filters in the URL. The open row keeps its place even if it no longer matches them. */
export function useDesk(filters: InboxFilters, openId: string | undefined) {
  const key = JSON.stringify(filters)
  const desk = useMemo(() => makeDesk(JSON.parse(key)), [key])
  useEffect(() => () => desk.rewind(), [desk])
  const [scrolled, setScrolled] = useState<Desk>()
  const isScrolled = scrolled === desk
  const pages = useInfiniteQuery({
    ...desk.pages,
    enabled: ({ state: { data } }) => data === undefined || (!isScrolled && startsAtTop(data)),
    placeholderData: (before) => before,
  })
  const { data, isFetching, isPlaceholderData: isOld } = pages
  const isAtTop = isOld || data === undefined || (!isScrolled && startsAtTop(data))
  const newest = useQuery({ ...desk.newest, enabled: !isAtTop })
  const head = isAtTop ? data?.pages[0] : newest.data
  const needs = head?.needs_you ?? NO_ROWS
  const loaded = useMemo(() => rowsOf(data, needs), [data, needs])
  const rows = useOpenRow(loaded, openId, pages)
  const news = useNews({ head, rows, isShown: isAtTop && !isOld })

  const isSearch = filters.q !== undefined
  const empty = emptyPagesAtEnd(data)
  const isPaused = isSearch && empty > 0 && empty % MOST_EMPTY_PAGES === 0
  const hasMore = pages.hasNextPage && !isOld
  const hasEarlier = pages.hasPreviousPage && !isOld
  const visible = useRef<WindowRange>({ first: 0, end: 0 })
  const loadNear = useLatest((isRetry: boolean) => {
    // A list by workspace shows what is loaded and has a button for more.
    if (filters.group !== undefined || isFetching || (pages.isError && !isRetry)) return
    const { first, end } = visible.current
    if (hasMore && !isPaused && end + AHEAD > rows.length) void pages.fetchNextPage()
    else if (hasEarlier && first < AHEAD) void pages.fetchPreviousPage()
    // The person has scrolled all the way up.
    else if (!isScrolled && !isAtTop && !hasEarlier) desk.showNewest()
  })
  // biome-ignore lint/correctness/useExhaustiveDependencies: after each answer more may be missing
  useEffect(() => loadNear.current(false), [data, isFetching, loadNear])
  const onRange = useCallback(
    (range: WindowRange) => {
      visible.current = range
      loadNear.current(false)
    },
    [loadNear],
  )

  const updatedAt = useRef(0)
  const updateVisible = useEffectEvent(async () => {
    // A page that's still being fetched would overwrite the update with the old rows.
    if (isAtTop || newest.data === undefined || isFetching) return
    if (newest.dataUpdatedAt <= updatedAt.current) return
    updatedAt.current = newest.dataUpdatedAt
    desk.updateRows(newest.data.rows)
    const { first, end } = visible.current
    const [top] = rows.slice(first, end)
    if (top !== undefined && filters.group === undefined) {
      // If this fails, the next event asks again.
      const page = await desk.rowsBelow(top.event_id + 1, end - first).catch(() => null)
      if (page !== null) desk.updateRows(page.rows)
    }
    // The server is reachable, so a page that failed is worth another try.
    loadNear.current(true)
  })
  // biome-ignore lint/correctness/useExhaustiveDependencies: each answer may tell of changes to visible rows
  useEffect(() => void updateVisible(), [newest.dataUpdatedAt, isFetching])

  const onTop = useCallback(
    (isTop: boolean) => {
      if (isTop) desk.returnToTop()
      else updatedAt.current = desk.leaveTop()
      setScrolled(isTop ? undefined : desk)
    },
    [desk],
  )
  return {
    desk,
    rows,
    needs,
    unread: head?.unread ?? 0,
    news,
    error: pages.error ?? (isAtTop ? null : newest.error),
    isReady: data !== undefined && !isOld,
    /** True while the rows are still those of the previous filters. */
    isOld,
    hasEarlier,
    hasMore,
    /** True if a search has read many rows without a match, so the person decides whether to continue. */
    isPaused,
    isSearching:
      isSearch && hasMore && (pages.isFetchingNextPage || (rows.length === 0 && !isPaused)),
    loadMore: () => pages.fetchNextPage({ cancelRefetch: false }),
    loadEarlier: () => pages.fetchPreviousPage({ cancelRefetch: false }),
    reload: () => void (isAtTop ? pages : newest).refetch(),
    showNewest() {
      if (!isAtTop) desk.showNewest()
      setScrolled(undefined)
    },
    onRange,
    onTop,
  }
}

const NO_ROWS: readonly ListedRow[] = []

/** A row that moved up between two responses may be on two pages. The upper one is current. */
function rowsOf(
  data: InfiniteData<ListedPage, unknown> | undefined,
  needs: readonly ListedRow[],
): readonly ListedRow[] {
  const seen = new Set(needs.map(({ thread_id }) => thread_id))
  const rows: ListedRow[] = []
  for (const page of data?.pages ?? []) {
    for (const row of page.rows) {
      if (seen.has(row.thread_id)) continue
      seen.add(row.thread_id)
      rows.push(row)
    }
  }
  return rows
}

/** Keeps the open row in place when it leaves the list, as an unread row does once it's read. */
function useOpenRow(
  rows: readonly ListedRow[],
  openId: string | undefined,
  { hasNextPage, hasPreviousPage }: { hasNextPage: boolean; hasPreviousPage: boolean },
): readonly ListedRow[] {
  const [open, setOpen] = useState<ListedRow>()
  const listed = useMemo(() => rows.find(({ thread_id }) => thread_id === openId), [rows, openId])
  if (listed !== undefined && listed !== open) setOpen(listed)
  const gone = listed === undefined && open?.thread_id === openId ? open : undefined
  return useMemo(() => {
    if (gone === undefined) return rows
    const next = rows.findIndex(({ event_id }) => event_id < gone.event_id)
    const at = next < 0 ? rows.length : next
    // The open row may be on a page that is no longer loaded.
    const isElsewhere = (at === 0 && hasPreviousPage) || (at === rows.length && hasNextPage)
    return isElsewhere ? rows : rows.toSpliced(at, 0, gone)
  }, [rows, gone, hasNextPage, hasPreviousPage])
}

type NewsInput = {
  head: ListedPage | undefined
  rows: readonly ListedRow[]
  /** True if the list is at its top, where it shows what's new. */
  isShown: boolean
}

function useNews({ head, rows, isShown }: NewsInput): number {
  // Rows that came back from a snooze are above the newest one.
  const newest = head?.rows.find(({ event_id }) => event_id < BACK_ABOVE)?.event_id ?? 0
  const [seen, setSeen] = useState(0)
  if (isShown && newest !== seen) setSeen(newest)
  return useMemo(() => {
    if (isShown || head === undefined) return 0
    const known = new Set(rows.map(({ thread_id, event_id }) => `${thread_id} ${event_id}`))
    const needs = new Set(head.needs_you.map(({ thread_id }) => thread_id))
    return head.rows.filter(
      ({ thread_id, event_id }) =>
        event_id > seen && !needs.has(thread_id) && !known.has(`${thread_id} ${event_id}`),
    ).length
  }, [isShown, head, rows, seen])
}

function emptyPagesAtEnd(data: InfiniteData<ListedPage, unknown> | undefined): number {
  const pages = data?.pages ?? []
  return pages.length - 1 - pages.findLastIndex(({ rows }) => rows.length > 0)
}
