// The requests in the order of the list. The pending tab starts with those that expire soonest, followed by those sent
// back. The other tab starts with the latest decision.

import { keepPreviousData } from '@tanstack/react-query'
import type { PageInput } from '../../api/call.ts'
import { pagesOf, usePages } from '../../api/pages.ts'
import type { ListedRequest } from '../../items/request/request-query.ts'
import type { ApprovalSearch } from '../../items/request/search.ts'

const PAGE = 100

export type ApprovalRows = ReturnType<typeof useApprovalRows>

export function useApprovalRows(search: ApprovalSearch) {
  const pages = pagesOf('request list', inputOf(search))
  const list = usePages({ ...pages, placeholderData: keepPreviousData }, 'requests')
  const asked = list.rows.filter(({ status }) => status !== 'revision_requested')
  const sentBack = list.rows.filter(({ status }) => status === 'revision_requested')
  return { ...list, asked, sentBack, all: [...asked, ...sentBack] }
}

function inputOf({ tab, type, risk, q, sort }: ApprovalSearch): PageInput<'request list'> {
  return {
    tab: tab ?? 'pending',
    limit: PAGE,
    ...(type === undefined ? {} : { type }),
    ...(risk === undefined ? {} : { risk }),
    ...(q === undefined ? {} : { title: q }),
    ...(tab === undefined && sort === undefined ? { soonest_first: true } : {}),
  }
}

export function isWaiting({ status, held_until }: ListedRequest): boolean {
  return status === 'pending' && held_until === null
}

/** The request to open after this one is decided: the next pending one, or else the previous one. */
export function nextWaiting(rows: readonly ListedRequest[], id: string): string | undefined {
  const at = rows.findIndex(({ request_id }) => request_id === id)
  if (at < 0) return undefined
  const next = rows.slice(at + 1).find(isWaiting) ?? rows.slice(0, at).findLast(isWaiting)
  return next?.request_id
}
