// The questions of the history screen: rows page by page, counts by type, and one message as it is.

import { queryOptions, useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useCallback, useMemo } from 'react'
import type { MailType } from '../../core/vocabulary.ts'
import type { OperationAnswer } from '../../ops/typed-call.ts'
import { call } from '../api/call.ts'
import { asking, queries } from '../api/queries.ts'
import { filterOf, type HistorySearch, type PageFilter, typesIn } from './search.ts'

export type PastMail = OperationAnswer<'mail history'>['messages'][number]

/** A message as its row needs it: texts would fill the memory of whoever scrolls far. */
export type PastRow = Pick<PastMail, 'id' | 'type' | 'from' | 'to' | 'subject' | 'created_at'> & {
  /** The day here, as a number that differs from day to day. */
  day: number
}

const PAGE = 200
const PAGES = 'history pages'
const COUNTS = 'history counts'

export function useHistoryPages(search: HistorySearch) {
  const filter = useMemo(() => filterOf(search), [search])
  const type = typesIn(search.type)
  const input = { ...filter, ...(type.length === 0 ? {} : { type }) }
  // Rows stay where they are: the stream tells only that there are newer ones, and the person asks for them.
  const key = [PAGES, input]
  const list = useInfiniteQuery({
    queryKey: key,
    initialPageParam: null as number | null,
    queryFn: async ({ signal, pageParam }) => {
      const before = pageParam === null ? {} : { before: pageParam }
      const page = await call('mail history', { ...input, limit: PAGE, ...before }, { signal })
      return { ...page, messages: page.messages.map(rowOf) }
    },
    getNextPageParam: ({ next_before }) => next_before,
    placeholderData: (before) => before,
  })
  const rows = useMemo(() => list.data?.pages.flatMap((page) => page.messages) ?? [], [list.data])
  const counts = useQuery(counting(filter)).data
  const end = list.data?.pages[0]?.next_event_id
  const since = useQuery({
    ...asking('mail count', { ...filter, since: String(end ?? 0) }),
    enabled: end !== undefined && filter.until === undefined && !list.isPlaceholderData,
  }).data
  const showNewer = useCallback(() => {
    void queries.resetQueries({ queryKey: [PAGES] })
    void queries.invalidateQueries({ queryKey: [COUNTS] })
  }, [])
  return {
    list,
    rows,
    counts,
    total: counts === undefined ? undefined : sumOf(counts, type),
    newer: since === undefined ? 0 : sumOf(byType(since), type),
    showNewer,
    input,
  }
}

function rowOf({ id, type, from, to, subject, created_at }: PastMail): PastRow {
  const at = new Date(created_at)
  const day = (at.getFullYear() * 12 + at.getMonth()) * 31 + at.getDate()
  return { id, type, from, to, subject, created_at, day }
}

export type TypeCounts = ReadonlyMap<MailType, number>

/** A count over a long log comes in parts. It is not made again with each event: it would be a look at everything. */
function counting(filter: PageFilter) {
  return queryOptions({
    queryKey: [COUNTS, filter] as const,
    queryFn: async ({ signal }): Promise<TypeCounts> => {
      const sum = new Map<MailType, number>()
      let before: number | null = null
      do {
        const at: { before?: number } = before === null ? {} : { before }
        const part: OperationAnswer<'mail count'> = await call(
          'mail count',
          { ...filter, ...at },
          { signal },
        )
        for (const { type, count } of part.counts) sum.set(type, (sum.get(type) ?? 0) + count)
        before = part.next_before
      } while (before !== null)
      return sum
    },
  })
}

function byType({ counts }: OperationAnswer<'mail count'>): TypeCounts {
  return new Map(counts.map(({ type, count }) => [type, count]))
}

/** How many of the chosen types; with none chosen, of all. */
function sumOf(counts: TypeCounts, types: readonly MailType[]): number {
  const wanted = types.length === 0 ? [...counts.keys()] : types
  return wanted.reduce((sum, type) => sum + (counts.get(type) ?? 0), 0)
}

export function useMessage(id: string) {
  return useQuery(asking('mail history', { message: id, limit: 1 }))
}
