// The address of the inbox holds everything that is chosen there.

import { useNavigate, useSearch } from '@tanstack/react-router'
import { useCallback } from 'react'
import { type ApprovalSearch, readSearch } from '../approvals/search.ts'

export type InboxSearch = {
  view?: 'unread'
  ws?: string
  agent?: string
} & Pick<ApprovalSearch, 'rev' | 'raw'>

export function readInboxSearch(given: Record<string, unknown>): InboxSearch {
  const text = (value: unknown) => (typeof value === 'string' && value !== '' ? value : undefined)
  const ws = text(given.ws)
  const agent = text(given.agent)
  const { rev, raw } = readSearch(given)
  return {
    ...(rev === undefined ? {} : { rev }),
    ...(raw === undefined ? {} : { raw }),
    ...(given.view === 'unread' ? { view: 'unread' as const } : {}),
    ...(ws === undefined ? {} : { ws }),
    ...(agent === undefined ? {} : { agent }),
  }
}

export function useInboxSearch(): [InboxSearch, (next: InboxSearch) => void] {
  const search = useSearch({ from: '/inbox' })
  const navigate = useNavigate()
  const set = useCallback(
    (next: InboxSearch) => void navigate({ to: '.', search: next, replace: true }),
    [navigate],
  )
  return [search, set]
}
