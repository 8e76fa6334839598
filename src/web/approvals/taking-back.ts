// Takes a held decision back. While the server is away that stays undone, and both the request and a notice say so
// until it was tried again or the time is over.

import { useSyncExternalStore } from 'react'
import { CallRefusal, call, isUnanswered, makeKey } from '../api/call.ts'
import { asking, queries } from '../api/queries.ts'
import { notify } from '../shell/notices.tsx'
import { refetch } from './refetch.ts'

/** Unsent: the server was not reached, and there is still time. Late: there was none left. */
type UndoState = { state: 'sending' | 'unsent' | 'late'; key: string; until: number }

export const LATE = 'It could not be taken back in time'
const states = new Map<string, UndoState>()
const watchers = new Set<() => void>()

function set(id: string, next: UndoState | null): void {
  if (next === null) states.delete(id)
  else states.set(id, next)
  for (const watcher of watchers) watcher()
}

export function useUndo(id: string): UndoState['state'] | null {
  return useSyncExternalStore(
    (watcher) => {
      watchers.add(watcher)
      return () => watchers.delete(watcher)
    },
    () => states.get(id)?.state ?? null,
  )
}

/** The moment is by the clock of this page. */
export async function takeBack(id: string, until: number): Promise<void> {
  const before = states.get(id)
  if (before?.state === 'sending') return
  // The same key after a lost answer: what was taken back is not taken back twice.
  const key = before?.state === 'unsent' ? before.key : makeKey()
  set(id, { state: 'sending', key, until })
  try {
    await call('undo-decision', { request: id }, { key })
    set(id, null)
    notify({ id, text: 'Taken back. Nothing is decided.' })
  } catch (error) {
    if (isUnanswered(error as Error)) waitFor(id, { state: 'unsent', key, until })
    else await refused(id, error as Error)
  } finally {
    refetch(id)
  }
}

function waitFor(id: string, undo: UndoState): void {
  if (Date.now() >= undo.until) {
    tooLate(id, undo)
    return
  }
  set(id, undo)
  notify({
    id,
    text: 'Not taken back yet: the server was not reached.',
    action: { title: 'Try again', run: () => void takeBack(id, undo.until) },
    isFailure: true,
  })
  setTimeout(() => {
    if (states.get(id) === undo) tooLate(id, undo)
  }, undo.until - Date.now())
}

function tooLate(id: string, undo: UndoState): void {
  set(id, { ...undo, state: 'late' })
  notify({ id, text: `${LATE}.`, isFailure: true })
  refetch(id)
}

async function refused(id: string, error: Error): Promise<void> {
  const undo = states.get(id)
  const isConflict = error instanceof CallRefusal && error.code === 'invalid_state'
  const asked = { ...asking('request get', { request: id }), staleTime: 0 }
  const now = isConflict ? await queries.fetchQuery(asked).catch(() => null) : null
  if (now !== null && now.request.decided_at === null) {
    set(id, null)
    return notify({ id, text: 'It was taken back already. Nothing is decided.' })
  }
  if (isConflict && undo !== undefined) return tooLate(id, undo)
  set(id, null)
  notify({ id, text: `Couldn't take it back: ${error.message}`, isFailure: true })
}

/** The request shows what became of it. */
export function forgetUndo(id: string): void {
  if (states.has(id)) set(id, null)
}
