// A thing that somebody looks at for a moment was read; a key that is held down reads nothing.

import { useEffect } from 'react'
import { call } from '../../api/call.ts'
import { queries } from '../../api/queries.ts'
import { useSettings } from '../../shell/settings.ts'
import { isToBeRead, openAnew } from './reading.ts'

const DWELLS: Record<string, number> = { 'at once': 0, 'after a moment': 600 }

/** How long somebody looks until it is read; undefined when they mark it by hand. */
export function useDwell(): number | undefined {
  const [{ mark_read }] = useSettings()
  return DWELLS[mark_read]
}

/**
 * Reads a thread of any kind once its words have been there for that long, and again when there are more of them. A long
 * thread is shown in parts: it is read up to the end of the part that begins after this message.
 */
export function useReadAfterDwell(id: string, words: number | undefined, after = 0): void {
  const dwell = useDwell()
  useEffect(() => openAnew(id), [id])
  useEffect(() => {
    if (words === undefined || dwell === undefined) return
    return afterDwell(dwell, () => {
      if (!isToBeRead(id)) return
      void call('show', { thread: id, after, mark_read: true })
        .then(() => queries.invalidateQueries({ queryKey: ['desk list'] }))
        // Not to be read yet is no failure of the person's.
        .catch(() => {})
    })
  }, [id, words, after, dwell])
}

/** Time counts while the page is in sight: nobody reads in a tab behind another. Gives back what ends it. */
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
