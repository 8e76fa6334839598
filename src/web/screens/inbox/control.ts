// What the person can do in the list: move the selection, choose several rows, and act on rows. Keys, buttons, menus
// and swipes all call this code.

import { useNavigate } from '@tanstack/react-router'
import {
  type RefObject,
  useCallback,
  useEffect,
  useEffectEvent,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from 'react'
import { goOnTo } from '../../items/thread/read-after-dwell.ts'
import { useLatest } from '../../ui/store.ts'
import { showToast } from '../../ui/toasts.tsx'
import type { WindowHandle } from '../../ui/window.tsx'
import type { Desk, ShownDesk } from './desk.ts'
import type { ListedRow } from './page.ts'
import { readInboxSearch } from './search.ts'

type ControlInput = {
  shown: ShownDesk
  /** All rows in the order in which keys move through them. The first `pinned` rows are under "Needs you". */
  rows: readonly ListedRow[]
  pinned: number
  selected: string | undefined
  select: (id: string | undefined, options?: SelectOptions) => void
  windowHandle: RefObject<WindowHandle | null>
}

/** Rows can be drawn without the actions, so the actions are loaded later. */
export const loadActions = () => import('./actions.ts')
type Actions = Awaited<ReturnType<typeof loadActions>>

export const MOST_CHOSEN = 5000

type ChosenRows = ReadonlyMap<string, ListedRow>
type SetChosen = (
  next: ChosenRows | undefined | ((before: ChosenRows | undefined) => ChosenRows | undefined),
) => void

export type ListControl = ReturnType<typeof useListControl>

export function useListControl(input: ControlInput) {
  const { rows, selected } = input
  const positions = useMemo(
    () => new Map(rows.map(({ thread_id }, position) => [thread_id, position])),
    [rows],
  )
  const [chosen, setChosen] = useState<ChosenRows>()
  const lastPosition = useRef(-1)
  const position = selected === undefined ? -1 : (positions.get(selected) ?? -1)
  useEffect(() => {
    if (position >= 0) lastPosition.current = position
  }, [position])

  const mustFocus = useRef(false)
  const focusSelected = useEffectEvent(() => {
    if (!mustFocus.current || selected === undefined) return
    mustFocus.current = false
    const { current: list } = input.windowHandle
    if (position >= input.pinned) list?.reveal(position - input.pinned)
    list?.focusRow(selected)
  })
  // biome-ignore lint/correctness/useExhaustiveDependencies: the focus only moves when the selection does
  useLayoutEffect(() => focusSelected(), [selected])

  const latest = useLatest({ ...input, positions, chosen, lastPosition, mustFocus })
  // The functions stay the same, so moving through the list doesn't register the keys again.
  const control = useMemo(() => makeControl(latest, setChosen), [latest])
  return { ...control, chosen }
}

type Latest = ControlInput & {
  positions: ReadonlyMap<string, number>
  chosen: ChosenRows | undefined
  /** Where the selected row was when it was last in the list. */
  lastPosition: RefObject<number>
  mustFocus: RefObject<boolean>
}

function makeControl(latest: RefObject<Latest>, setChosen: SetChosen) {
  const find = (id: string): ListedRow | undefined => {
    const { positions, rows, shown } = latest.current
    return rows[positions.get(id) ?? -1] ?? shown.needs.find(({ thread_id }) => thread_id === id)
  }

  function goTo(target: number, isFocused = true): void {
    const { rows, select, mustFocus } = latest.current
    const row = rows[Math.min(rows.length - 1, Math.max(0, target))]
    if (row === undefined) return
    mustFocus.current = isFocused
    select(row.thread_id)
  }

  async function goToFirst(): Promise<void> {
    const { shown } = latest.current
    if (shown.hasEarlier) {
      shown.showNewest()
      await whenDrawn()
    }
    goTo(0)
  }

  async function goToLast(): Promise<void> {
    const { shown } = latest.current
    if (shown.hasMore) {
      await shown.desk.showEnd()
      await whenDrawn()
    }
    goTo(Number.POSITIVE_INFINITY)
  }

  /** Moves synchronously unless rows have to be fetched. */
  async function move(step: number, isFocused = true): Promise<void> {
    const { selected, shown } = latest.current
    if (selected === undefined) return goTo(0, isFocused)
    if (!latest.current.positions.has(selected) && (await shown.desk.showAround(selected))) {
      await whenDrawn()
    }
    const target = () => {
      const { positions, lastPosition } = latest.current
      // If the open row has left the list, the next row has taken its position.
      return (positions.get(selected) ?? lastPosition.current - (step > 0 ? 1 : 0)) + step
    }
    const { rows, pinned } = latest.current
    if (target() >= rows.length && shown.hasMore) {
      await shown.loadMore()
      await whenDrawn()
    } else if (target() < pinned && target() - step >= pinned && shown.hasEarlier) {
      await shown.loadEarlier()
      await whenDrawn()
    }
    goTo(target(), isFocused)
  }

  /** The rows that an action applies to: the given one, else the chosen ones, else the open one. */
  function about(only?: string): ListedRow[] {
    const { chosen, selected } = latest.current
    if (only === undefined && chosen !== undefined && chosen.size > 0) {
      return [...chosen].map(([id, row]) => find(id) ?? row)
    }
    const row = find(only ?? selected ?? '')
    return row === undefined ? [] : [row]
  }

  function choose(id: string | undefined, isChosen?: boolean): void {
    const row = id === undefined ? undefined : find(id)
    if (row === undefined) return
    setChosen((before) => {
      const next = new Map(before)
      if (isChosen ?? !next.has(row.thread_id)) next.set(row.thread_id, row)
      else next.delete(row.thread_id)
      return next
    })
  }

  /** Selects another row before these leave the list, so that the keys continue from there. */
  function leave(going: readonly ListedRow[]): void {
    const { selected, select, rows, positions, mustFocus } = latest.current
    setChosen(undefined)
    const ids = new Set(going.map(({ thread_id }) => thread_id))
    if (selected === undefined || !ids.has(selected)) return
    // Where only one pane fits, the person goes back to the list.
    const isNarrow = matchMedia('(max-width: 767px)').matches
    const at = positions.get(selected) ?? 0
    const stays = ({ thread_id }: ListedRow) => !ids.has(thread_id)
    const next = rows.slice(at).find(stays) ?? rows.slice(0, at).findLast(stays)
    mustFocus.current = true
    select(isNarrow ? undefined : next?.thread_id)
  }

  function act(run: (actions: Actions, desk: Desk) => unknown): void {
    const { desk } = latest.current.shown
    loadActions().then(
      (actions) => run(actions, desk),
      () => {
        const text = 'Couldn’t load part of the page. Reload and try again'
        showToast({ id: 'actions', text, isFailure: true })
      },
    )
  }

  /** Performs an action that makes the rows leave the list. */
  function actAndLeave(
    rows: readonly ListedRow[],
    run: (actions: Actions, desk: Desk) => unknown,
  ): void {
    if (rows.length === 0) return
    leave(rows)
    act(run)
  }

  return {
    find,
    about,
    goToFirst,
    goToLast,
    move: (step: number, isFocused?: boolean) => void move(step, isFocused),
    focusSelected() {
      const { selected, windowHandle } = latest.current
      if (selected !== undefined) windowHandle.current?.focusRow(selected)
    },
    choose,
    chooseSelected: () => choose(latest.current.selected),
    /** Chooses the selected row and the one that the selection moves to. */
    chooseAndMove(step: number) {
      const { selected, positions, rows } = latest.current
      if (selected !== undefined) {
        choose(selected, true)
        choose(rows[(positions.get(selected) ?? -1) + step]?.thread_id, true)
      }
      void move(step)
    },
    chooseLoaded() {
      const { rows, pinned } = latest.current
      setChosen(new Map(rows.slice(pinned).map((row) => [row.thread_id, row])))
    },
    async chooseAll() {
      const rows = await latest.current.shown.desk.allRows(MOST_CHOSEN)
      setChosen(new Map(rows.map((row) => [row.thread_id, row])))
    },
    startChoosing: () => setChosen(new Map()),
    endChoosing: () => setChosen(undefined),
    toggleRead(only?: string) {
      const rows = about(only)
      const as = rows.some(({ unread }) => unread > 0) ? 'read' : 'unread'
      act(({ markRows }, desk) => markRows(desk, rows, as))
    },
    readAndNext() {
      const rows = about()
      act(({ markRows }, desk) => markRows(desk, rows, 'read'))
      if (latest.current.chosen === undefined) void move(1)
    },
    putAway(only?: string) {
      const rows = about(only)
      actAndLeave(rows, ({ putAway }, desk) => putAway(desk, rows))
    },
    snooze(rows: readonly ListedRow[], until: Date | null, when: string) {
      actAndLeave(rows, ({ snoozeRows }, desk) => snoozeRows(desk, rows, until, when))
    },
    wake(rows: readonly ListedRow[]) {
      actAndLeave(rows, ({ wakeRows }, desk) => wakeRows(desk, rows))
    },
  }
}

/** Resolves once the query library has notified React of new rows and React has drawn them. */
function whenDrawn(): Promise<void> {
  return new Promise((resolve) => setTimeout(() => requestAnimationFrame(() => resolve())))
}

// The selection moves in the same frame as the key press. The URL, and with it the open item, follows when the keys
// pause, so holding down a key opens no rows along the way and marks none as read.
const PAUSE_MS = 150

export type SelectOptions = {
  /** Adds a step to the browser's history even if an item is already open. */
  isStep?: boolean
}

export function useSelected(
  openId: string | undefined,
): [string | undefined, (id: string | undefined, options?: SelectOptions) => void] {
  const [selected, setSelected] = useState(openId)
  const navigate = useNavigate()
  const sent = useRef(openId)
  const moved = useRef(0)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(() => {
    if (openId === sent.current) return
    sent.current = openId
    clearTimeout(timer.current)
    goOnTo(openId)
    setSelected(openId)
  }, [openId])
  useEffect(
    () => () => {
      clearTimeout(timer.current)
      goOnTo(undefined)
    },
    [],
  )
  const select = useCallback(
    (id: string | undefined, { isStep = false }: SelectOptions = {}) => {
      setSelected(id)
      goOnTo(id)
      clearTimeout(timer.current)
      const open = () => {
        const replace = !isStep && sent.current !== undefined
        sent.current = id
        // The filters may have changed during the pause, so read them from the address now.
        const search = (now: object) => readInboxSearch({ ...now })
        if (id === undefined) void navigate({ to: '/inbox', search, replace: true })
        else void navigate({ to: '/inbox/$id', params: { id }, search, replace })
      }
      const isPaused = performance.now() - moved.current > PAUSE_MS
      moved.current = performance.now()
      if (isPaused || isStep) open()
      else timer.current = setTimeout(open, PAUSE_MS)
    },
    [navigate],
  )
  return [selected, select]
}
