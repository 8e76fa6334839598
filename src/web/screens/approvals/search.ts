// The address of the screen of approvals holds everything that is chosen there.

import { useNavigate, useSearch } from '@tanstack/react-router'
import { useCallback, useMemo } from 'react'
import { RISKS, type Risk } from '../../../core/requests/request-record.ts'
import { type GivenSearch, idIn, oneOf, type SearchParts, textIn } from '../../ui/search-values.ts'

export type ApprovalSearch = SearchParts<{
  tab: 'resolved'
  type: string
  risk: Risk
  q: string
  /** The newest first; without it, what is pending goes by when it runs out. */
  sort: 'new'
  /** The two revisions that are compared: `2-3`. */
  rev: string
  raw: true
  /** The linked thread that is open beside the request. */
  thread: string
}>

export function readSearch(given: GivenSearch): ApprovalSearch {
  return {
    tab: oneOf(['resolved'], given.tab),
    type: textIn(given.type, 64),
    risk: oneOf(RISKS, given.risk),
    q: textIn(given.q),
    sort: oneOf(['new'], given.sort),
    rev: typeof given.rev === 'string' && /^\d+-\d+$/.test(given.rev) ? given.rev : undefined,
    raw: given.raw === true || given.raw === 1 ? true : undefined,
    thread: idIn(given.thread),
  }
}

export function useApprovalSearch(): [
  ApprovalSearch,
  (next: Partial<Record<keyof ApprovalSearch, unknown>>) => void,
] {
  // The inbox opens requests too, at its own address.
  const given: GivenSearch = useSearch({ strict: false })
  const search = useMemo(() => readSearch(given), [given])
  const navigate = useNavigate()
  const set = useCallback(
    (next: Partial<Record<keyof ApprovalSearch, unknown>>) =>
      void navigate({
        to: '.',
        search: (before: ApprovalSearch) => ({ ...before, ...next }) as ApprovalSearch,
        replace: true,
      }),
    [navigate],
  )
  return [search, set]
}

/** The filters alone: another request is opened with them, and without what was chosen about this one. */
export function filtersIn({ rev: _, raw: __, thread: ___, ...filters }: ApprovalSearch) {
  return filters
}
