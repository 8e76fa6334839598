// The entries of a channel that the page holds: one piece without gaps, of a channel of any length. It grows at either
// end as the person scrolls, and what is far away is let go, so a hundred thousand entries are as few as a hundred.

import { useCallback, useEffect, useRef, useState } from 'react'
import type { OperationAnswer } from '../../ops/typed-call.ts'
import { call } from '../api/call.ts'

export type TalkEntry = OperationAnswer<'workflow entries'>['entries'][number]

const PAGE = 60
const MOST_HELD = 300

export type HeldEntries = {
  entries: readonly TalkEntry[]
  /** Whether the first page has come. */
  isKnown: boolean
  error: Error | null
  /** Whether there are entries before those that are held. */
  hasOlder: boolean
}

export type EntryMoves = {
  older: () => void
  newer: () => void
  newest: () => void
  again: () => void
}

const NOTHING: HeldEntries = { entries: [], isKnown: false, error: null, hasOlder: false }

/** `at` is the place of an entry to begin at; without one it is the end. */
export function useEntries(instance: string, at: number | undefined): HeldEntries & EntryMoves {
  const [held, setHeld] = useState(NOTHING)
  const latest = useRef(held)
  latest.current = held
  const asking = useRef<AbortController>(undefined)
  const busy = useRef<'older' | 'newer' | 'all' | null>(null)

  const ask = useCallback(
    async (what: 'older' | 'newer' | 'all', place: { before?: number; after?: number }) => {
      // The whole is asked for whatever else is under way; a piece only when nothing is.
      if (busy.current !== null && what !== 'all') return
      asking.current?.abort()
      const abort = new AbortController()
      asking.current = abort
      busy.current = what
      try {
        const input = { instance, limit: PAGE, ...place }
        const { entries } = await call('workflow entries', input, { signal: abort.signal })
        if (abort.signal.aborted) return
        setHeld((before) => joined(what, before, entries))
      } catch (error) {
        if (abort.signal.aborted) return
        setHeld((before) => ({ ...before, error: error as Error }))
      } finally {
        if (asking.current === abort) busy.current = null
      }
    },
    [instance],
  )
  const begin = useCallback(
    (place: number | undefined) =>
      void ask('all', place === undefined ? {} : { after: Math.max(0, place - PAGE / 2) }),
    [ask],
  )
  useEffect(() => {
    const { entries, isKnown } = latest.current
    const isThere = at === undefined ? isKnown : entries.some(({ seq }) => seq === at)
    if (!isThere) begin(at)
  }, [begin, at])
  useEffect(() => () => asking.current?.abort(), [])
  const older = useCallback(() => {
    const { entries, hasOlder, error } = latest.current
    if (hasOlder && error === null) void ask('older', { before: entries[0]?.seq ?? 1 })
  }, [ask])
  const newer = useCallback(() => {
    const { entries, isKnown } = latest.current
    if (isKnown) void ask('newer', { after: entries.at(-1)?.seq ?? 0 })
  }, [ask])
  const newest = useCallback(() => begin(undefined), [begin])
  const again = useCallback(() => {
    setHeld((before) => ({ ...before, error: null }))
    if (latest.current.isKnown) older()
    else begin(at)
  }, [older, begin, at])
  return { ...held, older, newer, newest, again }
}

function joined(
  what: 'older' | 'newer' | 'all',
  before: HeldEntries,
  found: readonly TalkEntry[],
): HeldEntries {
  const entries =
    what === 'all'
      ? found
      : what === 'older'
        ? [...found, ...before.entries].slice(0, MOST_HELD)
        : [...before.entries, ...found].slice(-MOST_HELD)
  const hasOlder = (entries[0]?.seq ?? 1) > 1 && !(what === 'older' && found.length === 0)
  return { entries, isKnown: true, error: null, hasOlder }
}
