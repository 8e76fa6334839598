// Words about a request that were written and not sent. They outlive their panel and a reload, in this tab. A decision
// that was taken takes its words along, and they come back with it when it is taken back.

import { type Dispatch, type SetStateAction, useCallback, useRef, useState } from 'react'
import type { DecisionName } from './request-answer.ts'

/** The place of the words that go with a decision: the answer, the reason, the notes. */
export function placeOf(verdict: DecisionName, id: string): string {
  return `draft:${verdict}:${id}`
}

export function useKept<Words>(
  place: string,
  empty: Words,
): [Words, Dispatch<SetStateAction<Words>>] {
  const [words, setWords] = useState(() => keptIn(place, empty))
  // A browser that fills in a form changes several fields before the next drawing.
  const latest = useRef(words)
  const keep = useCallback(
    (next: SetStateAction<Words>) => {
      latest.current = next instanceof Function ? next(latest.current) : next
      setWords(latest.current)
      sessionStorage.setItem(place, JSON.stringify(latest.current))
    },
    [place],
  )
  return [words, keep]
}

/** A question may have become a form since its answer was begun: words of another kind are not for it. */
function keptIn<Words>(place: string, empty: Words): Words {
  try {
    const words = JSON.parse(sessionStorage.getItem(place) ?? 'null')
    return words !== null && typeof words === typeof empty ? words : empty
  } catch {
    return empty
  }
}

export function forgetWords(place: string): void {
  sessionStorage.removeItem(place)
}

const taken = new Map<string, [place: string, words: string]>()

export function takeWords(verdict: DecisionName, id: string): void {
  taken.delete(id)
  const place = placeOf(verdict, id)
  const words = sessionStorage.getItem(place)
  if (words === null) return
  taken.set(id, [place, words])
  forgetWords(place)
}

export function giveWordsBack(id: string): void {
  const [place, words] = taken.get(id) ?? []
  if (place !== undefined && words !== undefined) sessionStorage.setItem(place, words)
}

/** The decision counts after all, and its words with it. What was written since stays. */
export function takeWordsAgain(id: string): void {
  const [place, words] = taken.get(id) ?? []
  if (place !== undefined && sessionStorage.getItem(place) === words) forgetWords(place)
}
