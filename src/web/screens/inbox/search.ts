// The address of the inbox holds everything that is chosen there.

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

export type InboxFilters = SearchParts<{
  view: 'unread' | 'snoozed'
  group: 'workspace'
  q: string
  ws: string
  agent: string
}>

export function readInboxSearch(given: GivenSearch): InboxFilters {
  return {
    view: oneOf(['unread', 'snoozed'], given.view),
    group: oneOf(['workspace'], given.group),
    q: textIn(given.q),
    ws: idIn(given.ws),
    agent: nameIn(given.agent),
  }
}

export function useInboxSearch(): [InboxFilters, (change: InboxFilters) => void] {
  const given: GivenSearch = useSearch({ strict: false })
  const filters = useMemo(() => readInboxSearch(given), [given])
  const navigate = useNavigate()
  const set = useCallback(
    (change: InboxFilters) =>
      void navigate({
        to: '.',
        search: (before: InboxFilters) => ({ ...before, ...change }),
        replace: true,
      }),
    [navigate],
  )
  return [filters, set]
}
