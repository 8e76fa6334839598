// The address of the screen of approvals holds everything that is chosen there.

import { useNavigate, useSearch } from '@tanstack/react-router'
import { useCallback } from 'react'
import type { Risk } from '../../core/requests/request-record.ts'

// The page that is loaded first reads addresses, so it names the risks itself instead of loading the record of requests.
const IS_RISK: Record<Risk, true> = { low: true, medium: true, high: true, critical: true }
export const RISKS = Object.keys(IS_RISK) as Risk[]

export type ApprovalSearch = {
  tab?: 'resolved'
  type?: string
  risk?: Risk
  q?: string
  /** The newest first; without it, what is pending goes by when it runs out. */
  sort?: 'new'
  /** The two revisions that are compared: `2-3`. */
  rev?: string
  raw?: true
  /** The linked thread that is open beside the request. */
  thread?: string
}

export function readSearch(given: Record<string, unknown>): ApprovalSearch {
  const text = (value: unknown) => (typeof value === 'string' && value !== '' ? value : undefined)
  return without({
    tab: given.tab === 'resolved' ? 'resolved' : undefined,
    type: text(given.type),
    risk: RISKS.find((risk) => risk === given.risk),
    // A search for a number comes as one.
    q: text(typeof given.q === 'number' ? String(given.q) : given.q),
    sort: given.sort === 'new' ? 'new' : undefined,
    rev: typeof given.rev === 'string' && /^\d+-\d+$/.test(given.rev) ? given.rev : undefined,
    raw: given.raw === true || given.raw === 1 ? true : undefined,
    thread: text(given.thread),
  })
}

function without(search: { [Key in keyof ApprovalSearch]: ApprovalSearch[Key] | undefined }) {
  const set = Object.entries(search).filter(([, value]) => value !== undefined)
  return Object.fromEntries(set) as ApprovalSearch
}

export function useApprovalSearch(): [
  ApprovalSearch,
  (next: Partial<Record<keyof ApprovalSearch, unknown>>) => void,
] {
  // The inbox opens requests too, at its own address.
  const search: ApprovalSearch = useSearch({ strict: false })
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
