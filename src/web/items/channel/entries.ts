// The loaded entries of a channel: one range without gaps. It grows at either end as the person scrolls and drops
// entries that are far away, so a channel with 100,000 entries costs no more than one with a hundred.

import { useCallback, useEffect, useRef, useState } from 'react'
import type { OperationAnswer } from '../../../ops/catalogue.ts'
import { call } from '../../api/call.ts'

export type TalkEntry = OperationAnswer<'workflow entries'>['entries'][number]

const PAGE = 60
const MOST_HELD = 300

type EntrySide = 'older' | 'newer'

export type HeldEntries = {
  entries: readonly TalkEntry[]
  isKnown: boolean
  error: Error | null
  hasOlder: boolean
}

export type EntryMoves = {
  older: () => void
  newer: () => void
  newest: () => void
  again: () => void
}

const NOTHING: HeldEntries = { entries: [], isKnown: false, error: null, hasOlder: false }

/** `at` is the entry to start at. If it's undefined, starts at the end. */
export function useEntries(instance: string, at: number | undefined): HeldEntries & EntryMoves {
  const [held, setHeld] = useState(NOTHING)
  // The next request depends on what's loaded, which may not be rendered yet.
  const latest = useRef(held)
  const hold = useCallback((next: HeldEntries) => {
    latest.current = next
    setHeld(next)
  }, [])
  const asking = useRef<AbortController>(undefined)
  const busy = useRef<EntrySide | 'all' | null>(null)
  const waiting = useRef<EntrySide | null>(null)

  const ask = useCallback(
    async (what: EntrySide | 'all', at?: number): Promise<void> => {
      // 'all' replaces any request in progress. A request for one end waits for the other end's to finish.
      if (busy.current !== null && what !== 'all') {
        if (busy.current !== 'all' && busy.current !== what) waiting.current = what
        return
      }
      const place = what === 'all' ? placeAround(at) : placeOf(what, latest.current)
      if (place === null) return
      asking.current?.abort()
      const abort = new AbortController()
      asking.current = abort
      busy.current = what
      waiting.current = null
      try {
        const input = { instance, limit: PAGE, ...place }
        const { entries } = await call('workflow entries', input, { signal: abort.signal })
        if (!abort.signal.aborted) hold(joinEntries(what, latest.current, entries))
      } catch (error) {
        if (!abort.signal.aborted) hold({ ...latest.current, error: error as Error })
      }
      if (asking.current !== abort) return
      busy.current = null
      if (waiting.current !== null && !abort.signal.aborted) void ask(waiting.current)
    },
    [instance, hold],
  )
  useEffect(() => {
    const { entries, isKnown } = latest.current
    const isThere = at === undefined ? isKnown : entries.some(({ seq }) => seq === at)
    if (!isThere) void ask('all', at)
  }, [ask, at])
  useEffect(() => () => asking.current?.abort(), [])
  const older = useCallback(() => void ask('older'), [ask])
  const newer = useCallback(() => void ask('newer'), [ask])
  const newest = useCallback(() => void ask('all'), [ask])
  const again = useCallback(() => {
    hold({ ...latest.current, error: null })
    void (latest.current.isKnown ? ask('older') : ask('all', at))
  }, [ask, hold, at])
  return { ...held, older, newer, newest, again }
}

type EntryPlace = { before?: number; after?: number }

function placeAround(at: number | undefined): EntryPlace {
  return at === undefined ? {} : { after: Math.max(0, at - PAGE / 2) }
}

function placeOf(
  what: EntrySide,
  { entries, isKnown, hasOlder, error }: HeldEntries,
): EntryPlace | null {
  if (what === 'newer') return isKnown ? { after: entries.at(-1)?.seq ?? 0 } : null
  return hasOlder && error === null ? { before: entries[0]?.seq ?? 1 } : null
}

function joinEntries(
  what: EntrySide | 'all',
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
