// The palette also looks on the server, a moment after the typing stops. What it finds stands below everything else,
// so nothing that is already shown moves.

import { useQuery } from '@tanstack/react-query'
import { Mail, Search } from 'lucide-react'
import { useEffect, useMemo, useState } from 'react'
import { asking } from '../api/queries.ts'
import { match } from './fuzzy.ts'
import { type FoundItem, IN_HISTORY, useGo } from './palette-items.ts'

const TYPING_MS = 120
const SHORTEST = 2
const MOST = 6

export function useServerSearch(query: string): { found: FoundItem[]; isLooking: boolean } {
  const typed = query.trim()
  const asked = useLate(typed)
  const isWanted = asked.length >= SHORTEST && asked === typed
  const { data, isFetching } = useQuery({
    ...asking('mail history', { text: asked, limit: MOST }),
    enabled: isWanted,
  })
  const go = useGo()
  const found = useMemo(() => {
    if (typed.length < SHORTEST) return []
    const item = (id: string, title: string, href: string, about: string, icon = Mail) => ({
      item: { id, title, href, about, icon, group: IN_HISTORY, run: () => go(href) },
      found: match(typed, title) ?? { rank: 0, at: [] },
    })
    const all = `/history?q=${encodeURIComponent(typed)}`
    const search = item('search', `Search the history for “${typed}”`, all, '', Search)
    const messages = isWanted ? (data?.messages ?? []) : []
    return [
      { ...search, found: { rank: 0, at: [] } },
      ...messages.map(({ id, subject, from, created_at }) =>
        item(
          ...[`message ${id}`, subject, `/history/${id}?q=${encodeURIComponent(typed)}`],
          `${from.replace(/^agent:/, '')}, ${new Date(created_at).toLocaleDateString()}`,
        ),
      ),
    ]
  }, [typed, data, isWanted, go])
  return { found, isLooking: typed.length >= SHORTEST && (asked !== typed || isFetching) }
}

/** A value as it was a moment ago, once it has stopped changing. */
function useLate(value: string): string {
  const [late, setLate] = useState(value)
  useEffect(() => {
    const timer = setTimeout(() => setLate(value), TYPING_MS)
    return () => clearTimeout(timer)
  }, [value])
  return late
}
