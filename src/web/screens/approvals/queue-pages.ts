// The queue, page by page: what runs out first on the pending tab, the latest decision first on the other.

import { useInfiniteQuery } from '@tanstack/react-query'
import { call, type PageInput } from '../../api/call.ts'
import type { ApprovalSearch } from '../../items/request/search.ts'

const PAGE = 100

export function useQueuePages({ tab: other, type, risk, q, sort }: ApprovalSearch) {
  const tab = other ?? 'pending'
  const isSoonestFirst = tab === 'pending' && sort === undefined
  const input: PageInput<'request list'> = {
    tab,
    limit: PAGE,
    ...(type === undefined ? {} : { type }),
    ...(risk === undefined ? {} : { risk }),
    ...(q === undefined ? {} : { title: q }),
    ...(isSoonestFirst ? { soonest_first: true } : {}),
  }
  return useInfiniteQuery({
    queryKey: ['request list', input, 'pages'],
    initialPageParam: null as string | null,
    queryFn: ({ signal, pageParam }) => {
      const before = pageParam === null ? {} : { before: pageParam }
      return call('request list', { ...input, ...before }, { signal })
    },
    getNextPageParam: ({ next_before }) => next_before,
    placeholderData: (before) => before,
  })
}
