// A finger moves a row aside: to the right it is read or unread, to the left it is put away. The menu of the row does the
// same, so nothing is done by a gesture alone.

import type { ListedRow } from './desk-ask.ts'

/** The way after which it is meant. */
const MEANT_PX = 88
/** A finger that scrolls moves less than this to the side. */
const ASIDE_PX = 12

export type SwipeHands = {
  toggleRead: (id: string) => void
  away: (id: string) => void
  rowOf: (id: string) => ListedRow | undefined
}

type SwipedRow = {
  row: HTMLElement
  place: HTMLElement
  id: string
  x: number
  y: number
  by: number
}

export function listenForSwipes(list: HTMLElement, hands: SwipeHands, signal: AbortSignal): void {
  if (signal.aborted) return
  // A list with this mark leaves moves to the side to us.
  list.dataset.swipes = ''
  signal.addEventListener('abort', () => delete list.dataset.swipes)
  let held: SwipedRow | undefined
  const on = <K extends 'touchstart' | 'touchmove' | 'touchend' | 'touchcancel'>(
    type: K,
    listener: (event: HTMLElementEventMap[K]) => void,
    options: AddEventListenerOptions = {},
  ) => list.addEventListener(type, listener, { signal, ...options })

  const letGo = () => {
    if (held === undefined) return
    held.row.style.transform = ''
    delete held.place.dataset.swipe
    held = undefined
  }
  on(
    'touchstart',
    ({ touches, target }) => {
      letGo()
      const row = target instanceof Element ? target.closest<HTMLElement>('[data-row]') : null
      const [touch] = touches
      const place = row?.parentElement
      const id = row?.dataset.row
      if (row === null || place == null || id === undefined || touch === undefined) return
      if (touches.length > 1) return
      held = { row, place, id, x: touch.clientX, y: touch.clientY, by: 0 }
    },
    { passive: true },
  )
  on(
    'touchmove',
    (event) => {
      const [touch] = event.touches
      if (held === undefined || touch === undefined) return
      const by = touch.clientX - held.x
      if (held.by === 0) {
        const isScroll = Math.abs(touch.clientY - held.y) > Math.abs(by)
        if (isScroll) return letGo()
        if (Math.abs(by) < ASIDE_PX) return
      }
      event.preventDefault()
      held.by = by
      held.row.style.transform = `translateX(${by}px)`
      held.place.dataset.swipe = wordFor(hands.rowOf(held.id), by > 0)
      held.place.dataset.side = by > 0 ? 'right' : 'left'
      held.place.dataset.meant = String(Math.abs(by) > MEANT_PX)
    },
    { passive: false },
  )
  on('touchend', (event) => {
    if (held === undefined) return
    const { id, by } = held
    letGo()
    if (by === 0) return
    // The row was moved, so it is not opened.
    event.preventDefault()
    if (Math.abs(by) < MEANT_PX) return
    if (by > 0) hands.toggleRead(id)
    else hands.away(id)
  })
  on('touchcancel', letGo)
}

/** The word for what a move to this side does. */
function wordFor(row: ListedRow | undefined, isRight: boolean): string {
  if (isRight) return (row?.unread ?? 0) > 0 ? 'Mark as read' : 'Mark as unread'
  return row?.what === 'push' ? 'Move to trash' : 'Put away'
}
