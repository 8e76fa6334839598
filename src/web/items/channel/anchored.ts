// A box that is read from its end. Whoever reads further up sees the same words in the same place, whatever grows above
// or below them; whoever is at the end stays there.

import { type RefObject, useCallback, useLayoutEffect, useRef, useState } from 'react'

/** A distance from the end that counts as being there. */
const END = 80
/** A distance from an edge at which more is asked for. */
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
  /** Whether the end of the box is the end of everything; one begins to follow only there. */
  isWhole: boolean
  beginsAtEnd: boolean
}

export function useAnchored(
  box: RefObject<HTMLElement | null>,
  content: RefObject<HTMLElement | null>,
  { onTop, onBottom, isWhole, beginsAtEnd }: Edges,
): ReadingPlace {
  const [isAtEnd, setAtEnd] = useState(beginsAtEnd)
  const follows = useRef(beginsAtEnd)
  const anchor = useRef<Anchor>(null)

  const look = useCallback(() => {
    const { current } = box
    // A box that is hidden has no height, and is where it was when it is shown again.
    if (current === null || current.clientHeight === 0) return
    const left = current.scrollHeight - current.clientHeight - current.scrollTop
    // A reader who follows does so until they scroll away, also while more is on its way.
    follows.current = left <= END && (isWhole || follows.current)
    setAtEnd(follows.current)
    anchor.current = anchorIn(current)
    if (current.scrollTop < NEAR) onTop()
    if (left < NEAR) onBottom()
  }, [box, onTop, onBottom, isWhole])

  const hold = useCallback(() => {
    const { current } = box
    if (current === null || current.clientHeight === 0) return
    if (follows.current) current.scrollTop = current.scrollHeight
    else if (anchor.current !== null) {
      const { key, from } = anchor.current
      const now = elementOf(current, key)
      if (now !== null) current.scrollTop += now.offsetTop - current.scrollTop - from
    }
  }, [box])

  // After each drawing, and whenever something inside has got another height by itself.
  useLayoutEffect(hold)
  // Before the browser measures: a watcher of the drawing before would still take the entries for incomplete.
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

/** The first thing in sight, and how far below the upper edge it begins. */
function anchorIn(box: HTMLElement): Anchor | null {
  for (const one of box.querySelectorAll<HTMLElement>('[data-entry]')) {
    if (one.offsetTop + one.offsetHeight <= box.scrollTop) continue
    return { key: one.dataset.entry ?? '', from: one.offsetTop - box.scrollTop }
  }
  return null
}

function elementOf(box: HTMLElement, key: string): HTMLElement | null {
  return box.querySelector<HTMLElement>(`[data-entry="${CSS.escape(key)}"]`)
}
