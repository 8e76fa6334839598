// A thread's messages. A very long thread is loaded in parts.

import { useInfiniteQuery } from '@tanstack/react-query'
import { useEffect, useMemo } from 'react'
import { call } from '../../api/call.ts'

/** After this many pages, the person loads the next ones with a button. */
const PAGES_AT_ONCE = 4

export function useThreadPages(id: string) {
  const shown = useInfiniteQuery({
    queryKey: ['show', { thread: id }, 'pages'],
    initialPageParam: 0,
    queryFn: ({ signal, pageParam: after }) => call('show', { thread: id, after }, { signal }),
    getNextPageParam: ({ next_after }) => next_after,
  })
  const { data, error, hasNextPage, isFetchingNextPage, fetchNextPage } = shown
  const pages = data?.pages
  useEffect(() => {
    // A channel's view loads its entries itself.
    const isShort = pages !== undefined && pages.length < PAGES_AT_ONCE && !isChannel(pages[0])
    if (hasNextPage && !isFetchingNextPage && isShort) void fetchNextPage()
  }, [pages, hasNextPage, isFetchingNextPage, fetchNextPage])
  const whole = useMemo(() => {
    const last = pages?.at(-1)
    return last && { ...last, messages: pages?.flatMap(({ messages }) => messages) ?? [] }
  }, [pages])
  return {
    whole,
    error,
    /** Where the last loaded part of a long thread begins. A thread is marked as read only as far as it's shown. */
    after: (data?.pageParams.at(-1) as number | undefined) ?? 0,
    readOn: hasNextPage ? () => void fetchNextPage() : undefined,
  }
}

export function isChannel(page: { thread: { kind: string } } | undefined): boolean {
  return page?.thread.kind === 'channel'
}
