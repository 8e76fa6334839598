import { type RefObject, useLayoutEffect, useRef, useSyncExternalStore } from 'react'

type PageStore<T> = {
  get: () => T
  set: (next: T) => void
  watch: (watcher: () => void) => () => void
}

/** A value outside of React: any module reads or sets it, and components that use it re-render when it changes. */
export function createStore<T>(initial: T): PageStore<T> {
  let value = initial
  const watchers = new Set<() => void>()
  return {
    get: () => value,
    set(next) {
      value = next
      for (const watcher of watchers) watcher()
    },
    watch(watcher) {
      watchers.add(watcher)
      return () => watchers.delete(watcher)
    },
  }
}

export function useStore<T>({ watch, get }: PageStore<T>): T {
  return useSyncExternalStore(watch, get)
}

/**
 * The value of the latest render, for callbacks whose identity must not change. It's set after rendering, as React
 * requires, but before any browser event.
 */
export function useLatest<T>(value: T): RefObject<T> {
  const latest = useRef(value)
  useLayoutEffect(() => {
    latest.current = value
  })
  return latest
}
