// A thread as it is shown: a very long one comes in parts. Mail and work are read alike.

import { useInfiniteQuery } from '@tanstack/react-query'
import { useEffect, useMemo } from 'react'
import { call } from '../api/call.ts'

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
    const isShort = (pages?.length ?? 0) < PAGES_AT_ONCE
    if (hasNextPage && !isFetchingNextPage && isShort) void fetchNextPage()
  }, [pages, hasNextPage, isFetchingNextPage, fetchNextPage])
  const whole = useMemo(() => {
    const last = pages?.at(-1)
    return last && { ...last, messages: pages?.flatMap(({ messages }) => messages) ?? [] }
  }, [pages])
  return {
    whole,
    error,
    readOn: hasNextPage ? () => void fetchNextPage() : undefined,
  }
}
