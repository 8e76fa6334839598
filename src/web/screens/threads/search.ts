// The address of the screen of threads holds everything that is chosen there: the tab, whose work, the words that are
// looked for, and the message that is pointed at.

import { useNavigate, useSearch } from '@tanstack/react-router'
import { useCallback, useMemo } from 'react'
import {
  type GivenSearch,
  idIn,
  nameIn,
  oneOf,
  type SearchParts,
  textIn,
} from '../../ui/search-values.ts'
import { TABS, type ThreadTab } from './tabs.ts'

export type ThreadSearch = SearchParts<{ state: ThreadTab; agent: string; q: string; at: string }>

export function readThreadSearch({ state, agent, q, at }: GivenSearch): ThreadSearch {
  return {
    state: oneOf(Object.keys(TABS) as ThreadTab[], state),
    agent: nameIn(agent),
    q: textIn(q),
    at: idIn(at),
  }
}

export function useThreadSearch(): [ThreadSearch, (next: ThreadSearch) => void] {
  // A linked thread is open at the address of its request.
  const given: GivenSearch = useSearch({ strict: false })
  const search = useMemo(() => readThreadSearch(given), [given])
  const navigate = useNavigate()
  const set = useCallback(
    (next: ThreadSearch) =>
      void navigate({
        to: '.',
        search: (before: ThreadSearch) => ({ ...before, ...next }),
        replace: true,
      }),
    [navigate],
  )
  return [search, set]
}
