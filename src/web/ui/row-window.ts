// A long list of which only the part in sight is in the page. Every kind of item has one height, so that the place of
// each is known without drawing it.

import { type RefObject, useCallback, useLayoutEffect, useMemo, useState } from 'react'

/** More than is seen, above and below, so that a quick hand finds rows. */
const SPARE = 12

export type RowWindow = {
  /** The items to draw: from this one up to, and without, that one. */
  from: number
  to: number
  /** The height of what is left out before and after them. */
  above: number
  below: number
}

export type BoxView = { top: number; height: number; width: number }

/** The part of a box that is in sight: how far it was scrolled, and its size. */
export function useSight(box: RefObject<HTMLElement | null>): BoxView {
  const [sight, setSight] = useState({ top: 0, height: 0, width: 0 })
  useLayoutEffect(() => {
    const { current } = box
    if (current === null) return
    const look = () => {
      const { scrollTop: top, clientHeight: height, clientWidth: width } = current
      // A list that is hidden has no height, and is where it was when it is shown again.
      if (height > 0) setSight({ top, height, width })
    }
    look()
    const watcher = new ResizeObserver(look)
    watcher.observe(current)
    current.addEventListener('scroll', look, { passive: true })
    return () => {
      watcher.disconnect()
      current.removeEventListener('scroll', look)
    }
  }, [box])
  return sight
}

/** The window on items of which `tops` says where each begins; its last entry is where the list ends. */
export function useRowWindow(
  box: RefObject<HTMLElement | null>,
  seen: BoxView,
  tops: readonly number[],
) {
  const count = tops.length - 1
  const from = Math.max(0, indexAt(tops, seen.top) - SPARE)
  const to = Math.min(count, indexAt(tops, seen.top + seen.height) + SPARE)
  const total = tops.at(-1) ?? 0
  const shown = useMemo(
    (): RowWindow => ({ from, to, above: tops[from] ?? 0, below: total - (tops[to] ?? total) }),
    [from, to, tops, total],
  )
  const reveal = useCallback(
    (index: number, under: number) => {
      const { current } = box
      const top = tops[index]
      if (current === null || top === undefined) return
      const end = tops[index + 1] ?? top
      if (top - under < current.scrollTop) current.scrollTop = top - under
      else if (end > current.scrollTop + current.clientHeight) {
        current.scrollTop = end - current.clientHeight
      }
    },
    [box, tops],
  )
  return { shown, reveal }
}

/** The item that stands at a height. */
export function indexAt(tops: readonly number[], height: number): number {
  let low = 0
  let high = Math.max(0, tops.length - 2)
  while (low < high) {
    const middle = Math.ceil((low + high) / 2)
    if ((tops[middle] ?? 0) <= height) low = middle
    else high = middle - 1
  }
  return low
}
