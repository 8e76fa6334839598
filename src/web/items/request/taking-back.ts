// Takes a held decision back. While the server is away that stays undone, and both the request and a notice say so
// until it was tried again or the time is over.

import { useSyncExternalStore } from 'react'
import { CallRefusal, call, isUnanswered, makeKey } from '../../api/call.ts'
import { asking, queries } from '../../api/queries.ts'
import { notify } from '../../ui/toasts.tsx'
import { giveWordsBack, takeWordsAgain } from './kept.ts'
import { refetch } from './refetch.ts'

/** Unsent: the server was not reached, and there is still time. Late: there was none left. */
type UndoState = { state: 'sending' | 'unsent' | 'late'; key: string }

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

type UndoEnd = 'back' | 'already' | 'unsent' | 'late' | Error

/** Takes back what was decided together, and tells of all in one notice. The moment is by the clock of this page. */
export async function takeBack(
  ids: readonly string[],
  until: number,
  notice = ids.join(),
  /** The number of others decided with them that could not be taken back before. */
  lostBefore = 0,
): Promise<void> {
  const free = ids.filter((id) => states.get(id)?.state !== 'sending')
  if (free.length === 0) return
  const tried = await Promise.all(free.map((id) => takeOneBack(id, until)))
  refetch(...free)
  const unsent = free.filter((_, at) => tried[at] === 'unsent')
  const errors = tried.filter((one) => one instanceof Error)
  const lost = lostBefore + errors.length + tried.filter((one) => one === 'late').length
  if (unsent.length > 0) return waitFor(unsent, until, notice, lost)
  if (errors.length > 0) {
    const what = lost === 1 ? 'one of them' : `${lost} of them`
    const text = `Couldn't take ${ids.length === 1 ? 'it' : what} back: ${errors[0]?.message}`
    return notify({ id: notice, text, isFailure: true })
  }
  if (lost > 0) return tellLate(lost, ids.length === 1 && lostBefore === 0, notice)
  const isNew = tried.includes('back')
  notify({
    id: notice,
    text: `${isNew ? 'Taken back' : 'It was taken back already'}. Nothing is decided.`,
  })
}

async function takeOneBack(id: string, until: number): Promise<UndoEnd> {
  const before = states.get(id)
  // The same key after a lost answer: what was taken back is not taken back twice.
  const key = before?.state === 'unsent' ? before.key : makeKey()
  set(id, { state: 'sending', key })
  // Before the call: the page may hear that it was taken back before the answer comes.
  giveWordsBack(id)
  const tried = await call('undo-decision', { request: id }, { key }).then(
    () => 'back' as const,
    (error: Error) => {
      if (!isUnanswered(error)) return refused(id, error)
      return Date.now() < until ? 'unsent' : 'late'
    },
  )
  if (tried === 'late') takeWordsAgain(id)
  set(id, tried === 'unsent' || tried === 'late' ? { state: tried, key } : null)
  return tried
}

async function refused(id: string, error: Error): Promise<UndoEnd> {
  if (!(error instanceof CallRefusal) || error.code !== 'invalid_state') return error
  const asked = { ...asking('request get', { request: id }), staleTime: 0 }
  const now = await queries.fetchQuery(asked).catch(() => null)
  return now !== null && now.request.decided_at === null ? 'already' : 'late'
}

function waitFor(ids: readonly string[], until: number, notice: string, lost: number): void {
  notify({
    id: notice,
    text: 'Not taken back yet: the server was not reached.',
    action: { title: 'Try again', run: () => void takeBack(ids, until, notice, lost) },
    isFailure: true,
  })
  const waiting = new Map(ids.map((id) => [id, states.get(id)]))
  setTimeout(() => {
    const late = ids.filter((id) => states.get(id) === waiting.get(id))
    for (const id of late) {
      set(id, { key: '', state: 'late' })
      takeWordsAgain(id)
    }
    if (late.length > 0) tellLate(lost + late.length, ids.length === 1 && lost === 0, notice)
    refetch(...late)
  }, until - Date.now())
}

function tellLate(late: number, isAlone: boolean, notice: string): void {
  const text = isAlone ? `${LATE}.` : `${late} could not be taken back in time.`
  notify({ id: notice, text, isFailure: true })
}

/** The request shows what became of it. */
export function forgetUndo(id: string): void {
  if (states.has(id)) set(id, null)
}
