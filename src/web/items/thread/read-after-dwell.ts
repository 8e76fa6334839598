// Marks an open thread as read after a moment, unless the person is holding down a key to move through the list or has
// marked the thread as unread.

import { useEffect } from 'react'
import { call } from '../../api/call.ts'
import { queries } from '../../api/queries.ts'
import { useSettings } from '../../shell/settings.ts'

const DWELLS: Record<string, number> = { 'at once': 0, 'after a moment': 600 }

/** How long a thread has to be open before it counts as read. Undefined if the person marks threads by hand. */
export function useDwell(): number | undefined {
  const [{ mark_read }] = useSettings()
  return DWELLS[mark_read]
}

/**
 * Marks a thread as read once its messages have been shown for the dwell time, and again whenever more are shown. A
 * long thread is shown in parts, and only the part that begins after message `after` is marked.
 */
export function useReadAfterDwell(id: string, messages: number | undefined, after = 0): void {
  const dwell = useDwell()
  useEffect(() => openAnew(id), [id])
  useEffect(() => {
    if (messages === undefined || dwell === undefined) return
    return afterDwell(dwell, () => {
      if (!isToBeRead(id)) return
      void call('show', { thread: id, after, mark_read: true })
        .then(() => queries.invalidateQueries({ queryKey: ['desk list'] }))
        // If this fails, the thread stays unread and is marked the next time.
        .catch(() => {})
    })
  }, [id, messages, after, dwell])
}

/** Calls `run` once the tab has been visible for this long. Returns a cleanup function. */
export function afterDwell(dwell: number, run: () => void): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined
  const ending = new AbortController()
  const begin = () => {
    clearTimeout(timer)
    if (document.visibilityState !== 'visible') return
    timer = setTimeout(() => {
      ending.abort()
      run()
    }, dwell)
  }
  document.addEventListener('visibilitychange', begin, ending)
  begin()
  return () => {
    clearTimeout(timer)
    ending.abort()
  }
}

/** Threads the person marked as unread. They stay unread until they are opened again. */
const kept = new Set<string>()
let selected: string | undefined

export function keepUnread(ids: readonly string[]): void {
  for (const id of ids) kept.add(id)
}

export function openAnew(id: string): void {
  kept.delete(id)
}

/** The list reports its selected row here, because the open item may lag behind while a key is held down. */
export function goOnTo(id: string | undefined): void {
  selected = id
}

export function isToBeRead(id: string): boolean {
  return !kept.has(id) && (selected === undefined || selected === id)
}
