import { type RefObject, useLayoutEffect, useRef } from 'react'

/**
 * The value of the latest render, for a callback that must not change. Written after the render, as React asks, and
 * before any event of the browser.
 */
export function useLatest<T>(value: T): RefObject<T> {
  const latest = useRef(value)
  useLayoutEffect(() => {
    latest.current = value
  })
  return latest
}
