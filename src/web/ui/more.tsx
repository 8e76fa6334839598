// The end of a list that has more. It is brought when it comes into sight, and by a button where that has failed or where
// the person is to say so.

import type { UseInfiniteQueryResult } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { Button } from './button.tsx'
import css from './list.module.css'

type Props = {
  pages: Pick<
    UseInfiniteQueryResult,
    'hasNextPage' | 'isFetchingNextPage' | 'isFetchNextPageError' | 'fetchNextPage'
  >
  children: string
  /** A search that goes on through everything is asked for each time. */
  isByHand?: boolean
}

export function More({ pages, children, isByHand = false }: Props) {
  const { hasNextPage, isFetchingNextPage, isFetchNextPageError, fetchNextPage } = pages
  const end = useRef<HTMLDivElement>(null)
  const isWanted = hasNextPage && !isFetchingNextPage && !isFetchNextPageError && !isByHand
  useEffect(() => {
    const { current } = end
    if (current === null || !isWanted) return
    const watcher = new IntersectionObserver(
      ([seen]) => void (seen?.isIntersecting && fetchNextPage()),
      { rootMargin: '400px' },
    )
    watcher.observe(current)
    return () => watcher.disconnect()
  }, [isWanted, fetchNextPage])
  if (!hasNextPage) return null
  return (
    <div ref={end} className={css.more}>
      <Button disabled={isFetchingNextPage} onClick={() => void fetchNextPage()}>
        {children}
      </Button>
    </div>
  )
}
