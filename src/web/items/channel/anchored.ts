// A scrolling box that's read from its end. A reader further up keeps the same text in the same place while content grows
// above or below; a reader at the end stays at the end.

import { type RefObject, useCallback, useLayoutEffect, useRef, useState } from 'react'
import { useLatest } from '../../ui/store.ts'

/** This close to the end counts as being at the end. */
const END = 80
/** This close to an edge, more entries are fetched. */
const NEAR = 900

type Anchor = { key: string; from: number }

export type ReadingPlace = {
  isAtEnd: boolean
  toEnd: () => void
  onScroll: () => void
}

type Edges = {
  onTop: () => void
  onBottom: () => void
  /** The end of the box is the end of the channel. Following starts only there. */
  isWhole: boolean
  beginsAtEnd: boolean
}

type Boxes = {
  box: RefObject<HTMLElement | null>
  content: RefObject<HTMLElement | null>
  /** The keys of the rows in order, and their elements. */
  keys: readonly string[]
  rows: RefObject<ReadonlyMap<string, HTMLElement>>
}

export function useAnchored(
  { box, content, keys, rows }: Boxes,
  { onTop, onBottom, isWhole, beginsAtEnd }: Edges,
): ReadingPlace {
  const [isAtEnd, setAtEnd] = useState(beginsAtEnd)
  const follows = useRef(beginsAtEnd)
  const anchor = useRef<Anchor>(null)
  const latestKeys = useLatest(keys)

  const look = useCallback(() => {
    const { current } = box
    // A hidden box has no height. It'll be in the same place when it's shown again.
    if (current === null || current.clientHeight === 0) return
    const left = current.scrollHeight - current.clientHeight - current.scrollTop
    // Following lasts until the reader scrolls away, also while more entries are loading.
    follows.current = left <= END && (isWhole || follows.current)
    setAtEnd(follows.current)
    anchor.current = findAnchor(latestKeys.current, rows.current, current.scrollTop)
    if (current.scrollTop < NEAR) onTop()
    if (left < NEAR) onBottom()
  }, [box, rows, latestKeys, onTop, onBottom, isWhole])

  const hold = useCallback(() => {
    const { current } = box
    if (current === null || current.clientHeight === 0) return
    if (follows.current) current.scrollTop = current.scrollHeight
    else if (anchor.current !== null) {
      const { key, from } = anchor.current
      const row = rows.current.get(key)
      if (row !== undefined) current.scrollTop = row.offsetTop - from
    }
  }, [box, rows])

  // After each render, and whenever something inside changes its height by itself.
  useLayoutEffect(hold)
  // A layout effect, so an observer from the previous render can't run with the old `isWhole`.
  useLayoutEffect(() => {
    const [inner, outer] = [content.current, box.current]
    if (inner === null || outer === null) return
    const watcher = new ResizeObserver(() => {
      hold()
      look()
    })
    watcher.observe(inner)
    watcher.observe(outer)
    return () => watcher.disconnect()
  }, [content, box, hold, look])

  const toEnd = useCallback(() => {
    follows.current = true
    hold()
    look()
  }, [hold, look])
  return { isAtEnd, toEnd, onScroll: look }
}

/** The first visible row, and its distance from the top edge. */
function findAnchor(
  keys: readonly string[],
  rows: ReadonlyMap<string, HTMLElement>,
  top: number,
): Anchor | null {
  for (const key of keys) {
    const row = rows.get(key)
    if (row !== undefined && row.offsetTop + row.offsetHeight > top) {
      return { key, from: row.offsetTop - top }
    }
  }
  return null
}
