// The state of the connection, for whoever shows it.

import { useSyncExternalStore } from 'react'
import { queries } from '../api/queries.ts'
import { refetchAfter } from './refetch.ts'
import { type LiveState, listen } from './stream.ts'

let state: LiveState = 'connecting'
let since = Date.now()
const watchers = new Set<() => void>()

export function beginLive(): () => void {
  return listen({
    onEvents: (events) => refetchAfter(queries, events),
    onReset: () => void queries.invalidateQueries(),
    onState(next) {
      if (next === state) return
      state = next
      since = Date.now()
      for (const watcher of watchers) watcher()
    },
  })
}

export function useLive(): { state: LiveState; since: number } {
  const now = useSyncExternalStore(watch, () => state)
  return { state: now, since }
}

function watch(watcher: () => void): () => void {
  watchers.add(watcher)
  return () => watchers.delete(watcher)
}
