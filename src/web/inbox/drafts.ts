// Words that were written and not sent, by their thread. They outlive a reload and the session, in this browser only.

import { useCallback, useState } from 'react'

const BEGINNING = 'draft:reply:'

export function useDraft(thread: string): [string, (text: string) => void] {
  const place = BEGINNING + thread
  const [text, setText] = useState(() => localStorage.getItem(place) ?? '')
  const keep = useCallback(
    (next: string) => {
      setText(next)
      if (next === '') localStorage.removeItem(place)
      else localStorage.setItem(place, next)
    },
    [place],
  )
  return [text, keep]
}

export function draftsKept(): number {
  return Object.keys(localStorage).filter((place) => place.startsWith(BEGINNING)).length
}

export function hasDraft(place: string): boolean {
  return localStorage.getItem(BEGINNING + place) !== null
}
