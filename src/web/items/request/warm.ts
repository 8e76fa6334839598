import { useEffect, useState } from 'react'

/**
 * Whether this has been on the screen for a moment: until then its buttons stay cold. Null is never warm, and what comes
 * back begins anew.
 */
export function useWarm(about: string | null, ms: number): boolean {
  const [warmAbout, setWarm] = useState<string | null>(null)
  useEffect(() => {
    if (about === null) return
    const timer = setTimeout(() => setWarm(about), ms)
    return () => {
      clearTimeout(timer)
      setWarm(null)
    }
  }, [about, ms])
  return about !== null && warmAbout === about
}
