// Small things about what is seen of the list.

import { type RefObject, useEffect, useRef, useState } from 'react'
import type { WindowHandle } from '../../ui/window.tsx'
import type { Desk } from './desk-loader.ts'
import css from './list.module.css'
import type { ListOrder } from './list-order.ts'
import { Skeleton } from './list-row.tsx'
import type { SwipeHands } from './swipe.ts'

/** A link may lead to a thread far down: the list is brought to it, once. */
export function useFirstSight(
  desk: Desk,
  isReady: boolean,
  openId: string | undefined,
  windowHandle: RefObject<WindowHandle | null>,
  order: ListOrder,
): void {
  const looked = useRef<'not yet' | 'looking' | 'done'>('not yet')
  const index = openId === undefined ? -1 : order.indexOf(openId)
  useEffect(() => {
    if (!isReady || looked.current === 'done') return
    if (openId === undefined) looked.current = 'done'
    else if (index >= 0) {
      looked.current = 'done'
      const position = order.positionOf(index)
      if (position >= 0) windowHandle.current?.reveal(position)
    } else if (looked.current === 'not yet') {
      looked.current = 'looking'
      // The open thread may be put away, or belong to another screen: then the list stays where it is.
      desk.locate(openId).catch(() => {})
    }
  }, [desk, isReady, openId, index, order, windowHandle])
}

/** Where there is no pointer that hovers, a finger moves rows aside. */
export function useSwipes(
  section: RefObject<HTMLElement | null>,
  isReady: boolean,
  hands: Pick<SwipeHands, 'toggleRead' | 'away'>,
  desk: Desk,
): void {
  const now = useRef(hands)
  now.current = hands
  useEffect(() => {
    const { current: list } = section
    if (!isReady || list === null || !matchMedia('(hover: none)').matches) return
    const ending = new AbortController()
    const hand: SwipeHands = {
      toggleRead: (id) => now.current.toggleRead(id),
      away: (id) => now.current.away(id),
      rowOf: (id) => desk.state().rows.get(id),
    }
    // A page that cannot have this part now has the menus of the rows.
    import('./swipe.ts')
      .then(({ listenForSwipes }) => listenForSwipes(list, hand, ending.signal))
      .catch(() => {})
    return () => ending.abort()
  }, [section, isReady, desk])
}

const SAY_MS = 10_000

/** Readers of the screen hear of what is new, and not for each row. */
export function News({ count }: { count: number }) {
  const [said, setSaid] = useState(0)
  useEffect(() => {
    if (count === said) return
    const timer = setTimeout(() => setSaid(count), said === 0 ? 500 : SAY_MS)
    return () => clearTimeout(timer)
  }, [count, said])
  return (
    <p className={css.spoken} role="status">
      {said === 0 ? '' : said === 1 ? '1 new message' : `${said} new messages`}
    </p>
  )
}

const ROWS = [1, 2, 3, 4, 5, 6, 7, 8]

/** A list that comes within a moment needs no sign that it is coming. */
export function Loading() {
  return (
    <div className={css.loading}>
      {ROWS.map((row) => (
        <div key={row} className={css.coming}>
          <Skeleton />
        </div>
      ))}
    </div>
  )
}

/** The row from which a menu is opened by a key. */
export function selectedRow(section: HTMLElement | null): Element | null {
  return section?.querySelector('[aria-current="true"]') ?? null
}
