// The one store of drafts: replies, answers, reasons, notes and comments that haven't been sent. A draft lives in this
// browser under its key, so it survives a reload, a closed tab and the end of a session, and every tab shows the same
// text. Sending it clears it.

import { type Dispatch, type SetStateAction, useCallback, useSyncExternalStore } from 'react'
import { createStore } from '../ui/store.ts'

const PREFIX = 'draft:'
/** Counts changes, since the values are in the browser's storage. */
const changes = createStore(0)

/** A draft by its key, such as `reply:thr_1`. Setting it to an empty string removes it. */
export function useDraft<Value>(
  key: string,
  empty: Value,
): [Value, Dispatch<SetStateAction<Value>>] {
  const stored = useSyncExternalStore(changes.watch, () => localStorage.getItem(PREFIX + key))
  const set = useCallback(
    (next: SetStateAction<Value>) => {
      // Read from storage, not from the last render, because browser autofill sets several fields at the same time.
      const before = parseDraft(localStorage.getItem(PREFIX + key), empty)
      const value = next instanceof Function ? next(before) : next
      store(key, value === '' ? null : JSON.stringify(value))
    },
    [key, empty],
  )
  return [parseDraft(stored, empty), set]
}

/** Ignores a draft of another type, because a question may become a form after the person starts answering. */
function parseDraft<Value>(stored: string | null, empty: Value): Value {
  if (stored === null) return empty
  try {
    const value = JSON.parse(stored)
    return value !== null && typeof value === typeof empty ? value : empty
  } catch {
    // Replies used to be stored as plain text.
    return typeof empty === 'string' ? (stored as Value) : empty
  }
}

export function clearDraft(key: string): void {
  store(key, null)
}

/** Removes the sent text from a draft, and keeps what was typed after it. */
export function withoutSent(sent: string): (now: string) => string {
  return (now) => (now.startsWith(sent) ? now.slice(sent.length).trimStart() : now)
}

export function hasDraft(key: string): boolean {
  return localStorage.getItem(PREFIX + key) !== null
}

export function countDrafts(): number {
  return Object.keys(localStorage).filter((place) => place.startsWith(PREFIX)).length
}

/** Drafts that were sent with something that can still be undone. */
export type TakenDrafts = ReadonlyMap<string, string>

export function takeDrafts(keys: readonly string[]): TakenDrafts {
  const taken = new Map<string, string>()
  for (const key of keys) {
    const stored = localStorage.getItem(PREFIX + key)
    if (stored !== null) taken.set(key, stored)
    clearDraft(key)
  }
  return taken
}

/** Restores drafts, except where the person has written something new since then. */
export function returnDrafts(taken: TakenDrafts): void {
  for (const [key, stored] of taken) if (!hasDraft(key)) store(key, stored)
}

/** Takes back drafts that were returned too early, unless they've been edited since. */
export function takeDraftsAgain(taken: TakenDrafts): void {
  for (const [key, stored] of taken) {
    if (localStorage.getItem(PREFIX + key) === stored) clearDraft(key)
  }
}

function store(key: string, stored: string | null): void {
  if (stored === null) localStorage.removeItem(PREFIX + key)
  else localStorage.setItem(PREFIX + key, stored)
  changes.set(changes.get() + 1)
}

// Another tab has changed a draft.
addEventListener('storage', () => changes.set(changes.get() + 1))
