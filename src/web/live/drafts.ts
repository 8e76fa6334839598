// Words that were written and not sent, by their thread. They outlive a reload and the session, in this browser only.

import { useCallback, useState } from 'react'

const BEGINNING = 'draft:reply:'

/** The third takes away what was sent. Words that were typed behind it meanwhile stay. */
export function useDraft(thread: string): [string, (text: string) => void, (sent: string) => void] {
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
  const drop = useCallback(
    (sent: string) => {
      const now = localStorage.getItem(place) ?? ''
      keep(now.startsWith(sent) ? now.slice(sent.length).trimStart() : now)
    },
    [place, keep],
  )
  return [text, keep, drop]
}

export function draftsKept(): number {
  return Object.keys(localStorage).filter((place) => place.startsWith(BEGINNING)).length
}

export function hasDraft(place: string): boolean {
  return localStorage.getItem(BEGINNING + place) !== null
}
