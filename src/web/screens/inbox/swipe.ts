// Swiping a row right marks it as read or unread, and left puts it away. The row's menu offers the same actions.

import type { ListedRow } from './page.ts'

const LEAST_PX = 88
/** While scrolling, the finger moves sideways by less than this. */
const SCROLL_PX = 12

export type SwipeControl = {
  toggleRead: (id: string) => void
  putAway: (id: string) => void
  find: (id: string) => ListedRow | undefined
}

type SwipedRow = {
  row: HTMLElement
  place: HTMLElement
  id: string
  x: number
  y: number
  by: number
}

export function listenForSwipes(
  list: HTMLElement,
  control: SwipeControl,
  signal: AbortSignal,
): void {
  if (signal.aborted) return
  // With this attribute set, the CSS turns off the browser's own horizontal gestures.
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
        if (Math.abs(by) < SCROLL_PX) return
      }
      event.preventDefault()
      held.by = by
      held.row.style.transform = `translateX(${by}px)`
      held.place.dataset.swipe = labelOf(control.find(held.id), by > 0)
      held.place.dataset.side = by > 0 ? 'right' : 'left'
      held.place.dataset.meant = String(Math.abs(by) > LEAST_PX)
    },
    { passive: false },
  )
  on('touchend', (event) => {
    if (held === undefined) return
    const { id, by } = held
    letGo()
    if (by === 0) return
    // A swipe doesn't open the row.
    event.preventDefault()
    if (Math.abs(by) < LEAST_PX) return
    if (by > 0) control.toggleRead(id)
    else control.putAway(id)
  })
  on('touchcancel', letGo)
}

function labelOf(row: ListedRow | undefined, isRight: boolean): string {
  if (isRight) return (row?.unread ?? 0) > 0 ? 'Mark as read' : 'Mark as unread'
  return row?.what === 'push' ? 'Move to trash' : 'Put away'
}
