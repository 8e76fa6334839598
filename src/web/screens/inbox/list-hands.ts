// The hands in the list: moving, choosing, and acting on what is chosen or open. Keys, buttons and menus all
// come here.

import { type RefObject, useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react'
import { notify } from '../../ui/toasts.tsx'
import type { WindowHandle } from '../../ui/window.tsx'
import type { ListedRow } from './desk-ask.ts'
import type { Desk } from './desk-loader.ts'
import type { DeskState } from './desk-state.ts'
import { type ListOrder, nextOf } from './list-order.ts'
import type { SelectOptions } from './selected.ts'

type HandsInput = {
  desk: Desk
  state: DeskState
  order: ListOrder
  selected: string | undefined
  select: (id: string | undefined, how?: SelectOptions) => void
  windowHandle: RefObject<WindowHandle | null>
}

export type Hands = ReturnType<typeof useHands>

/** No row waits for them, so they are loaded after the first rows. */
export const loadActs = () => import('./list-actions.ts')
type Acts = Awaited<ReturnType<typeof loadActs>>

/** All that a filter finds can be chosen up to this number. */
export const MOST_CHOSEN = 5000

export function useHands(given: HandsInput) {
  // The latest, so that what the hands hold does not change with every step.
  const now = useRef(given)
  now.current = given
  const { selected, order } = given
  const [chosen, setChosen] = useState<ReadonlySet<string>>()
  const latestChosen = useRef(chosen)
  latestChosen.current = chosen
  const mustFocus = useRef(false)
  const lastIndex = useRef(-1)

  const index = selected === undefined ? -1 : order.indexOf(selected)
  if (index >= 0) lastIndex.current = index

  useLayoutEffect(() => {
    if (!mustFocus.current || selected === undefined) return
    mustFocus.current = false
    const { order: all, windowHandle: handle } = now.current
    const position = all.positionOf(all.indexOf(selected))
    if (position >= 0) handle.current?.reveal(position)
    const row = rowOf(handle.current?.element(), selected)
    row?.focus({ preventScroll: true })
    if (position < 0) row?.scrollIntoView({ block: 'nearest' })
  }, [selected])
  useEffect(() => given.desk.open(selected), [given.desk, selected])

  const goTo = useCallback(async (target: number, isFocused = true): Promise<void> => {
    const { desk } = now.current
    if (target === Number.POSITIVE_INFINITY) {
      // The list may still be counted, and is then longer than what is drawn.
      await desk.counted()
      await new Promise(requestAnimationFrame)
    }
    const { order: all } = now.current
    const at = Math.min(all.total - 1, Math.max(0, target))
    if (all.total === 0) return
    let id = all.idAt(at)
    if (id === undefined) {
      now.current.windowHandle.current?.reveal(all.positionOf(at))
      await desk.bringTo(all.positionOf(at))
      // The rows are drawn with the next frame.
      await new Promise(requestAnimationFrame)
      id = now.current.order.idAt(Math.min(at, now.current.order.total - 1))
    }
    if (id === undefined) return
    mustFocus.current = isFocused
    now.current.select(id)
  }, [])

  const move = useCallback(
    (step: number, isFocused = true) => {
      const { selected: from, order: all } = now.current
      const at = from === undefined ? -1 : all.indexOf(from)
      // The open row may have left the list: then its place counts.
      const base = at >= 0 ? at : from === undefined ? -1 : lastIndex.current - (step > 0 ? 1 : 0)
      void goTo(base < 0 && at < 0 ? 0 : base + step, isFocused)
    },
    [goTo],
  )

  const choose = useCallback((id: string | undefined, isChosen?: boolean) => {
    if (id === undefined) return
    setChosen((before) => {
      const next = new Set(before)
      if (isChosen ?? !next.has(id)) next.add(id)
      else next.delete(id)
      return next
    })
  }, [])
  const extend = useCallback(
    (step: number) => {
      const { selected: from } = now.current
      if (from === undefined) return move(step)
      choose(from, true)
      const { order: all } = now.current
      choose(all.idAt(all.indexOf(from) + step), true)
      move(step)
    },
    [choose, move],
  )

  /** The rows that an action is about: the chosen ones, else the open one. */
  const about = useCallback((only?: string): ListedRow[] => {
    const { state, selected: open } = now.current
    const ids = only === undefined ? [...(latestChosen.current ?? [])] : [only]
    if (ids.length === 0 && open !== undefined && only === undefined) ids.push(open)
    return ids.flatMap((id) => state.rows.get(id) ?? [])
  }, [])

  /** Selects another row before these leave, so that the hand can go on. */
  const leave = useCallback((rows: readonly ListedRow[]) => {
    const { selected: open, order: all, select } = now.current
    const going = new Set(rows.map(({ thread_id }) => thread_id))
    setChosen(undefined)
    if (open === undefined || !going.has(open)) return
    const isNarrow = matchMedia('(max-width: 767px)').matches
    const at = all.indexOf(open)
    const next = isNarrow ? undefined : nextOf(all, Math.max(0, at), (id) => going.has(id))
    mustFocus.current = true
    select(next)
  }, [])

  const act = useCallback((does: (acts: Acts, desk: Desk) => unknown) => {
    const { desk } = now.current
    loadActs().then(
      (acts) => does(acts, desk),
      () =>
        notify({
          id: 'acts',
          text: "Couldn't load a part of the page. Reload it",
          isFailure: true,
        }),
    )
  }, [])

  const doing = {
    toggleRead(only?: string) {
      const rows = about(only)
      const as = rows.some(({ unread }) => unread > 0) ? 'read' : 'unread'
      act(({ markRows }, desk) => markRows(desk, rows, as))
    },
    readAndNext() {
      const rows = about()
      act(({ markRows }, desk) => markRows(desk, rows, 'read'))
      if (latestChosen.current === undefined) move(1)
    },
    away(only?: string) {
      const rows = about(only)
      if (rows.length === 0) return
      leave(rows)
      act(({ putAway }, desk) => putAway(desk, rows))
    },
    snooze(rows: readonly ListedRow[], until: Date | null, when: string) {
      if (rows.length === 0) return
      leave(rows)
      act(({ snoozeRows }, desk) => snoozeRows(desk, rows, until, when))
    },
    wake(rows: readonly ListedRow[]) {
      if (rows.length === 0) return
      leave(rows)
      act(({ wakeRows }, desk) => wakeRows(desk, rows))
    },
    chooseLoaded() {
      const { state } = now.current
      const known = state.pieces.flatMap(({ ids }) => ids)
      setChosen(new Set(known.filter((id) => !state.hidden.has(id))))
    },
    async chooseAll() {
      const rows = await now.current.desk.all(MOST_CHOSEN)
      setChosen(new Set(rows.map(({ thread_id }) => thread_id)))
    },
    endChoosing: () => setChosen(undefined),
    startChoosing: () => setChosen(new Set()),
    focusSelected() {
      const { selected: open, windowHandle: handle } = now.current
      if (open !== undefined) rowOf(handle.current?.element(), open)?.focus()
    },
  }
  return {
    chosen,
    selected: () => now.current.selected,
    about,
    goTo,
    move,
    choose,
    extend,
    ...doing,
  }
}

function rowOf(element: HTMLElement | null | undefined, id: string): HTMLElement | null {
  return element?.querySelector<HTMLElement>(`[data-row="${CSS.escape(id)}"]`) ?? null
}
