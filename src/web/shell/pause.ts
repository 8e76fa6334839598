// A pause of notifications. It ends by itself, so the page looks again when its time is up.

import { useEffect, useState } from 'react'
import { useSettings } from './settings.ts'

/** The end of the pause; null if there is none. */
export function usePause(): string | null {
  const [{ notify }] = useSettings()
  const [, look] = useState(0)
  const until = notify.paused_until
  const left = until === null ? 0 : Date.parse(until) - Date.now()
  useEffect(() => {
    if (left <= 0) return
    const timer = setTimeout(() => look((times) => times + 1), left)
    return () => clearTimeout(timer)
  }, [left])
  return left > 0 ? until : null
}
