// The person's desk as the page has it: a list that is counted whole and loaded where it is looked at. Events never
// move it. While the person is at its top, a change is shown at once; further down the list stays as it is, what is
// new is counted, and only the signs of the rows in sight follow.

import { BACK_ABOVE } from '../../../core/desk/desk-reads.ts'
import type { DeskAnswer, DeskAsk, DeskDays, ListedRow } from './desk-ask.ts'
import { makeCount } from './desk-count.ts'
import { makeMoves } from './desk-moves.ts'
import { makePace, RETRY_MS } from './desk-pace.ts'
import { type DeskPiece, filled, piecesOf, provisional, withRow } from './desk-pieces.ts'
import { type DeskState, FIRST_STATE } from './desk-state.ts'
import { missingIn, nearTo, viewOf } from './desk-view.ts'

export type Desk = ReturnType<typeof makeDesk>

/** A page that somebody flies past is not wanted. */
const DWELL_MS = 80
/** Rows that come next are brought before they are seen. */
const AHEAD = 30
/** Rows to keep: more would fill the memory of someone who scrolls through everything. */
const MOST_ROWS = 8000
/** A search reads so many pages by itself; each looks at some hundred rows. */
const MOST_LOOKS = 40

export function makeDesk(ask: DeskAsk, dayOf: (row: ListedRow) => string) {
  const rows = new Map<string, ListedRow>()
  const moves = makeMoves(rows)
  const watchers = new Set<() => void>()
  const ending = new AbortController()
  const count = makeCount(ask.days, ending.signal)
  let state: DeskState = { ...FIRST_STATE, rows }
  let pending: { head: DeskAnswer; days: DeskDays | null; asked: number } | undefined
  /** The rows of a list that nobody has counted, and the place from which it goes on. */
  let order: readonly ListedRow[] = []
  let tail: number | null = null
  let isCounted = true
  let range = { first: 0, end: 0 }
  let isAtTop = true
  let openId: string | undefined
  let newest = 0
  let generation = 0
  let changedAt = 0
  let seenAt = 0

  const set = (next: Partial<DeskState>) => {
    state = { ...state, ...next }
    for (const watcher of watchers) watcher()
  }
  const hide = (needs = state.needs) => moves.hidden(needs)
  const keep = (found: readonly ListedRow[], asked: number): ListedRow[] => {
    const kept = found.map((row) => moves.asMarked(row, asked))
    for (const row of kept) rows.set(row.thread_id, row)
    return kept
  }
  const viewNow = () => viewOf(state.pieces, state.hidden, (day) => day)
  const changed = makePace(reload, ending.signal)

  async function reload(): Promise<'answered' | 'away' | 'refused'> {
    const asked = Date.now()
    try {
      const coming = ask.head(ending.signal)
      // The first rows are shown before anybody counts.
      if (!state.isReady) showFirst(await coming, asked)
      const [head, days] = await Promise.all([coming, count.top()])
      if (ending.signal.aborted) return 'answered'
      receive({ head, days, asked })
      void counted()
      return 'answered'
    } catch (error) {
      if (ending.signal.aborted) return 'refused'
      set({ error: error instanceof Error ? error : new Error(String(error)) })
      return ask.isAway(error) ? 'away' : 'refused'
    }
  }

  function showFirst({ rows: found, needs_you, unread }: DeskAnswer, asked: number): void {
    if (ending.signal.aborted) return
    keep(found, asked)
    const needs = keep(needs_you, asked)
    set({ pieces: provisional(found, dayOf), needs, hidden: hide(needs), unread, error: null })
  }

  /** The list is as long as it was counted, unless all of it is shown already. */
  function showRest(): void {
    const below = count.below()
    const last = state.pieces.at(-1)?.before ?? null
    const top = below[0]?.before ?? null
    if (ending.signal.aborted || top === null || last === null || last <= top) return
    set({ pieces: [...state.pieces, ...below], error: null })
    void load()
  }

  /** Waits until the whole length of the list is known. */
  async function counted(): Promise<void> {
    try {
      await count.rest()
      showRest()
    } catch (error) {
      failed(error, counted)
    }
  }

  /** A server that is away is asked again after a while. */
  function failed(error: unknown, again: () => void): void {
    if (ending.signal.aborted) return
    set({ error: error instanceof Error ? error : new Error(String(error)), isSearching: false })
    if (ask.isAway(error)) setTimeout(again, RETRY_MS)
  }

  function receive(found: NonNullable<typeof pending>): void {
    pending = found
    const { head, asked } = found
    changedAt = asked
    const needs = keep(head.needs_you, asked)
    const common = { needs, hidden: hide(needs), unread: head.unread, error: null }
    if (!state.isReady || isAtTop || state.pieces.length === 0) {
      adopt(common)
      return
    }
    const above = new Set(needs.map(({ thread_id }) => thread_id))
    const isNew = ({ event_id, thread_id }: ListedRow) =>
      event_id > newest && rows.get(thread_id)?.event_id !== event_id && !above.has(thread_id)
    const news = head.rows.filter(isNew).length
    for (const row of head.rows) {
      const { thread_id, unread } = moves.asMarked(row, asked)
      const known = rows.get(thread_id)
      if (known !== undefined && known.unread !== unread) rows.set(thread_id, { ...known, unread })
    }
    set({ ...common, news })
    void load()
  }

  /** Shows the list as it is now on the server. The open row keeps its place, even if it is no longer in the list. */
  function adopt(more: Partial<DeskState> = {}): void {
    if (pending === undefined) return
    const { head, days, asked } = pending
    pending = undefined
    generation += 1
    moves.agree(asked)
    // A row that came back from a snooze stands above what is newest.
    newest = head.rows.find(({ event_id }) => event_id < BACK_ABOVE)?.event_id ?? 0
    keep(head.rows, asked)
    isCounted = days !== null
    let pieces =
      days === null
        ? uncounted(head)
        : filled([...piecesOf(days.days), ...count.below()], 0, head.rows, head.has_more)
    const open = openId === undefined ? undefined : rows.get(openId)
    const wasShown = open !== undefined && viewNow().positionOf(open.thread_id) >= 0
    const placeOf = (id: string) => rows.get(id)?.event_id ?? 0
    const kept = moves.returning()
    if (open !== undefined && wasShown && !moves.isRemoved(open.thread_id)) kept.push(open)
    for (const row of kept) pieces = withRow(pieces, row, dayOf, placeOf) ?? pieces
    const hasMore = days === null && tail !== null
    set({ ...more, isReady: true, pieces, hidden: hide(more.needs), news: 0, hasMore })
    void load()
  }

  /** The rows that were read further down stay, so that an event does not begin the search anew. */
  function uncounted({ rows: top, next_before }: DeskAnswer): DeskPiece[] {
    const isFirst = order.length === 0
    const above = new Set(top.map(({ thread_id }) => thread_id))
    const below = order.filter(
      ({ event_id, thread_id }) => event_id < (next_before ?? 0) && !above.has(thread_id),
    )
    order = [...top, ...below]
    if (isFirst || next_before === null) tail = next_before
    return provisional(order, dayOf)
  }

  let loading: Promise<void> | undefined
  let isWanted = false
  /** A call while rows are being brought waits for those, and for what is missing in sight after them. */
  function load(): Promise<void> {
    isWanted = true
    loading ??= loadAll()
    return loading
  }
  const isLacking = () => missingIn(viewNow(), state.pieces, range) !== null
  async function loadAll(): Promise<void> {
    do {
      isWanted = false
      await bringAll()
    } while (isWanted && isLacking() && !ending.signal.aborted)
    loading = undefined
  }

  /** Brings what is missing in sight, page by page; then what may have changed there. */
  async function bringAll(): Promise<void> {
    if (!state.isReady) return
    try {
      while (!ending.signal.aborted) {
        const wanted = missingIn(viewNow(), state.pieces, range)
        if (wanted === null) break
        await bring(wanted.at, wanted.before, wanted.limit)
      }
      await readOn()
      if (seenAt < changedAt && !isAtTop) await look()
      forgetFar()
    } catch (error) {
      failed(error, load)
    }
  }

  /** Goes down a list that nobody has counted, until what is seen is full. */
  async function readOn(): Promise<void> {
    for (
      let looks = 0;
      looks < MOST_LOOKS && tail !== null && range.end + 1 >= order.length;
      looks++
    ) {
      set({ isSearching: true })
      const then = generation
      const asked = Date.now()
      const page = await ask.page({ before: tail, limit: 100 }, ending.signal)
      if (ending.signal.aborted) return
      if (then !== generation) continue
      keep(page.rows, asked)
      order = [...order, ...page.rows]
      tail = page.next_before
      set({ pieces: provisional(order, dayOf), hasMore: tail !== null, error: null })
    }
    if (state.isSearching) set({ isSearching: false })
  }

  async function bring(at: number, before: number | null, limit: number): Promise<void> {
    const then = generation
    const asked = Date.now()
    const page = await ask.page({ before, limit }, ending.signal)
    if (then !== generation || ending.signal.aborted) return
    keep(page.rows, asked)
    set({ pieces: filled(state.pieces, at, page.rows, page.has_more), error: null })
  }

  /** Asks for the rows in sight again. Those that have moved up meanwhile are left as they are. */
  async function look(): Promise<void> {
    const view = viewNow()
    const top = rows.get(view.idAt(range.first) ?? '')
    if (top === undefined) return
    seenAt = Date.now()
    const limit = Math.max(1, range.end - range.first)
    const page = await ask.page({ before: top.event_id + 1, limit }, ending.signal)
    keep(
      page.rows.filter(({ thread_id }) => rows.has(thread_id)),
      seenAt,
    )
    set({})
  }

  function forgetFar(): void {
    if (rows.size < MOST_ROWS) return
    const pieces = nearTo(range, viewNow(), state.pieces)
    const kept = new Set(pieces.flatMap(({ ids }) => ids))
    for (const id of rows.keys()) {
      if (!kept.has(id) && id !== openId && !state.hidden.has(id)) rows.delete(id)
    }
    set({ pieces })
  }

  let dwell: ReturnType<typeof setTimeout> | undefined
  return {
    state: () => state,
    watch(watcher: () => void): () => void {
      watchers.add(watcher)
      return () => watchers.delete(watcher)
    },
    changed,
    end(): void {
      ending.abort()
      clearTimeout(dwell)
    },
    /** The rows in sight. */
    want(wanted: { first: number; end: number }): void {
      range = { first: Math.max(0, wanted.first - AHEAD), end: wanted.end + AHEAD }
      clearTimeout(dwell)
      dwell = setTimeout(load, DWELL_MS)
    },
    /** Rows that a key is about to reach are brought without delay. */
    async bringTo(position: number): Promise<void> {
      range = { first: Math.max(0, position - 30), end: position + 30 }
      await load()
    },
    atTop(isNow: boolean): void {
      isAtTop = isNow
      if (isNow) adopt()
    },
    open(id: string | undefined): void {
      openId = id
    },
    showNew: () => adopt(),
    counted,
    goOn: () => void load(),
    /** Finds a thread that may be anywhere in the list, and loads the rows before it. */
    async locate(id: string): Promise<void> {
      if (rows.has(id) || !state.isReady || !isCounted) return
      const [found] = await Promise.all([ask.around(id, ending.signal), counted()])
      if (found === null) return
      const at = state.pieces.findLastIndex(
        ({ before }, index) => index === 0 || (before !== null && found.event_id < before),
      )
      const piece = state.pieces[at]
      if (piece !== undefined) await bring(at, piece.last ?? piece.before, 500)
    },
    /** Marks rows at once; the server is told by the caller, who calls what this gives back when it is sent. */
    mark(changed: readonly ListedRow[]): () => void {
      for (const row of changed) rows.set(row.thread_id, row)
      set({ needs: state.needs.map((row) => rows.get(row.thread_id) ?? row) })
      return moves.mark(changed)
    },
    /** Takes rows out at once; the server is told by the caller. */
    remove(ids: readonly string[]): void {
      moves.remove(ids)
      const needs = state.needs.filter(({ thread_id }) => !ids.includes(thread_id))
      set({ hidden: hide(), needs })
    },
    /** The server has put them away, or has them back: the next list that is asked for shows it. */
    settle(ids: readonly string[]): void {
      moves.settle(ids)
      changed()
    },
    bringBack(ids: readonly string[]): void {
      moves.bringBack(ids)
      set({ hidden: hide() })
    },
    /** The ids of all that the filter finds, up to so many. */
    async all(most: number): Promise<ListedRow[]> {
      const { everyRow } = await import('./desk-every.ts')
      const asked = Date.now()
      return keep(await everyRow(ask, most, ending.signal), asked)
    },
  }
}
