// A thing that somebody looks at for a moment was read; a key that is held down reads nothing.

import { useEffect } from 'react'
import { call } from '../api/call.ts'
import { queries } from '../api/queries.ts'
import { useSettings } from '../api/settings.ts'
import { isToBeRead, openAnew } from './reading.ts'

const DWELLS: Record<string, number> = { 'at once': 0, 'after a moment': 600 }

/** How long somebody looks until it is read; undefined when they mark it by hand. */
export function useDwell(): number | undefined {
  const [{ mark_read }] = useSettings()
  return DWELLS[mark_read]
}

/** Reads a thread of any kind once it has been there for that long. */
export function useReadAfterDwell(id: string, isThere: boolean): void {
  const dwell = useDwell()
  useEffect(() => {
    if (!isThere || dwell === undefined) return
    openAnew(id)
    const timer = setTimeout(() => {
      if (!isToBeRead(id)) return
      void call('show', { thread: id, mark_read: true })
        .then(() => queries.invalidateQueries({ queryKey: ['desk list'] }))
        // Not to be read yet is no failure of the person's.
        .catch(() => {})
    }, dwell)
    return () => clearTimeout(timer)
  }, [id, isThere, dwell])
}
