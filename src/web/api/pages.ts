// Loads lists page by page. Kept out of the module for single answers, so the first script doesn't include it.

import { infiniteQueryOptions, useInfiniteQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import type { OperationAnswer, OperationName } from '../../ops/catalogue.ts'
import { type CallOptions, call, type PageInput } from './call.ts'

/** Every paged answer has one of these cursors. It's null on the last page. */
type PageAnswer = { next_before: Cursor } | { next_after: Cursor }
type Cursor = string | number | null

/** The pages of a list. The key ends in `pages` because the cache stores them differently from a single answer. */
export function pagesOf<Name extends OperationName>(
  name: OperationAnswer<Name> extends PageAnswer ? Name : never,
  input: PageInput<Name>,
) {
  return infiniteQueryOptions({
    queryKey: [name as OperationName, input, 'pages'] as const,
    initialPageParam: {},
    queryFn: ({ signal, pageParam }) =>
      call<Name>(name, { ...input, ...(pageParam as object) }, { signal }),
    getNextPageParam: (page) => nextPageOf(page as unknown as PageAnswer),
  })
}

export async function* everyPage<Name extends OperationName>(
  name: OperationAnswer<Name> extends PageAnswer ? Name : never,
  input: PageInput<Name>,
  options?: CallOptions,
): AsyncGenerator<OperationAnswer<Name>> {
  for (let next: object | null = {}; next !== null; ) {
    const page: OperationAnswer<Name> = await call<Name>(name, { ...input, ...next }, options)
    yield page
    next = nextPageOf(page as unknown as PageAnswer)
  }
}

function nextPageOf(page: PageAnswer): object | null {
  if ('next_before' in page) return page.next_before === null ? null : { before: page.next_before }
  return page.next_after === null ? null : { after: page.next_after }
}

type ListName<Name extends OperationName> = {
  [Key in keyof OperationAnswer<Name>]: OperationAnswer<Name>[Key] extends readonly unknown[]
    ? Key
    : never
}[keyof OperationAnswer<Name>]

type RowOf<T> = T extends readonly (infer Row)[] ? Row : never

/** A list read page by page: the query, the rows of all pages, and the first page with its counts. */
export function usePages<Name extends OperationName, Key extends ListName<Name>>(
  options: ReturnType<typeof pagesOf<Name>>,
  key: Key,
) {
  const query = useInfiniteQuery(options)
  const pages = query.data?.pages
  const rows = useMemo(
    () => pages?.flatMap((page) => page[key] as RowOf<OperationAnswer<Name>[Key]>[]) ?? [],
    [pages, key],
  )
  return { query, rows, first: pages?.[0], last: pages?.at(-1) }
}
