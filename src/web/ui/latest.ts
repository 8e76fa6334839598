import { type RefObject, useLayoutEffect, useRef } from 'react'

/**
 * The value of the latest render, for a callback that must not change. Set after rendering, as React requires, and
 * before any browser event.
 */
export function useLatest<T>(value: T): RefObject<T> {
  const latest = useRef(value)
  useLayoutEffect(() => {
    latest.current = value
  })
  return latest
}
