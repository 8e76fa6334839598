// The address of the inbox holds everything that is chosen there.

import { useNavigate, useSearch } from '@tanstack/react-router'
import { useCallback } from 'react'
import { type ApprovalSearch, readSearch } from '../approvals/search.ts'

export type InboxFilters = {
  view?: 'unread' | 'snoozed'
  group?: 'workspace'
  q?: string
  ws?: string
  agent?: string
}

/** `doc` is the document that is shown on a page of its own. */
export type InboxSearch = InboxFilters & Pick<ApprovalSearch, 'rev' | 'raw'> & { doc?: string }

const VIEWS = ['unread', 'snoozed'] as const

export function readInboxSearch(given: Record<string, unknown>): InboxSearch {
  const text = (value: unknown) => (typeof value === 'string' && value !== '' ? value : undefined)
  const { rev, raw, q } = readSearch(given)
  return without({
    rev,
    raw,
    q,
    doc: text(given.doc),
    view: VIEWS.find((view) => view === given.view),
    group: given.group === 'workspace' ? 'workspace' : undefined,
    ws: text(given.ws),
    // An agent may be called by a number.
    agent: text(typeof given.agent === 'number' ? String(given.agent) : given.agent),
  })
}

/** The part that says which rows are listed, and how; the rest belongs to the open one. */
export function filtersOf({ view, group, q, ws, agent }: InboxSearch): InboxFilters {
  return without({ view, group, q, ws, agent })
}

function without<T extends object>(search: { [Key in keyof T]: T[Key] | undefined }): T {
  const set = Object.entries(search).filter(([, value]) => value !== undefined)
  return Object.fromEntries(set) as T
}

export type InboxChange = { [Key in keyof InboxFilters]: InboxFilters[Key] | undefined }

export function useInboxSearch(): [InboxSearch, (change: InboxChange) => void] {
  const search = useSearch({ from: '/inbox' })
  const navigate = useNavigate()
  const set = useCallback(
    (change: InboxChange) =>
      void navigate({
        to: '.',
        search: (before: InboxSearch) => without<InboxSearch>({ ...before, ...change }),
        replace: true,
      }),
    [navigate],
  )
  return [search, set]
}
