// A thread as it is shown: a very long one comes in parts. Mail and work are read alike.

import { useInfiniteQuery } from '@tanstack/react-query'
import { useEffect, useMemo } from 'react'
import { call } from '../../api/call.ts'

/** A thread of more than so many pages is read on by hand. */
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
    // A channel has a view of its own, which asks for its entries itself.
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
    /** A long thread is read as far as it is shown: this is where the last part begins. */
    after: (data?.pageParams.at(-1) as number | undefined) ?? 0,
    readOn: hasNextPage ? () => void fetchNextPage() : undefined,
  }
}

export function isChannel(page: { thread: { kind: string } } | undefined): boolean {
  return page?.thread.kind === 'channel'
}
