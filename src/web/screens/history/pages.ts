import { keepPreviousData, queryOptions, useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useMemo, useRef } from 'react'
import type { MailType } from '../../../core/vocabulary.ts'
import type { OperationAnswer } from '../../../ops/catalogue.ts'
import { call } from '../../api/call.ts'
import { everyPage } from '../../api/pages.ts'
import { asking, queries } from '../../api/queries.ts'
import { filterOf, type HistorySearch, type PageFilter, typesIn } from './search.ts'

export type PastMail = OperationAnswer<'mail history'>['messages'][number]

/** The parts of a message that a row shows. Keeping whole messages would use too much memory in a long scroll. */
export type PastRow = Pick<PastMail, 'id' | 'type' | 'from' | 'to' | 'subject' | 'created_at'> & {
  /** A number that identifies the local date. */
  day: number
}

const PAGE = 200
const PAGES = 'history pages'
const COUNTS = 'history counts'

export function useHistoryPages(search: HistorySearch) {
  const filter = useMemo(() => filterOf(search), [search])
  const type = typesIn(search.type)
  const input = { ...filter, ...(type.length === 0 ? {} : { type }) }
  // Events don't refetch the rows. They only update the count of newer ones, which the person loads with a button.
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
    placeholderData: keepPreviousData,
  })
  const rows = useMemo(() => list.data?.pages.flatMap((page) => page.messages) ?? [], [list.data])
  // Undefined while the rows of the previous filter are still shown.
  const end = list.isPlaceholderData ? undefined : list.data?.pages[0]?.next_event_id
  const counted = useQuery(counting(filter, end))
  const total = useRef<number>(undefined)
  if (end !== undefined) {
    const { data, isPlaceholderData: isOld } = counted
    const sum = data === undefined || isOld ? undefined : sumOf(data, type)
    total.current = list.hasNextPage ? sum : rows.length
  } else if (list.isError) total.current = undefined
  const since = useQuery({
    ...asking('mail count', { ...filter, since: String(end ?? 0) }),
    enabled: end !== undefined && filter.until === undefined,
  }).data
  const showNewer = () => void queries.resetQueries({ queryKey: [PAGES] })
  return {
    list,
    rows,
    counts: counted.data,
    total: total.current,
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

/**
 * The counts up to the event at which the rows start, so that counts and rows agree. Counting a long log takes several
 * calls, and continues from the last count instead of reading the whole log again.
 */
function counting(filter: PageFilter, end: number | undefined) {
  const known = countedBefore(filter, end)
  return queryOptions({
    queryKey: [COUNTS, JSON.stringify(filter), end] as const,
    enabled: end !== undefined,
    placeholderData: () => known?.counts,
    queryFn: async ({ signal }): Promise<TypeCounts> => {
      // A date filter sets its own start, so the count can't continue from the last one.
      const from = filter.since === undefined ? known : undefined
      const since = from === undefined ? {} : { since: String(from.end) }
      const sum = new Map(from?.counts)
      const wanted = { ...filter, ...since, before: (end ?? 0) + 1 }
      for await (const { counts } of everyPage('mail count', wanted, { signal })) {
        for (const { type, count } of counts) sum.set(type, (sum.get(type) ?? 0) + count)
      }
      return sum
    },
  })
}

function countedBefore(filter: PageFilter, end = Number.POSITIVE_INFINITY) {
  return queries
    .getQueriesData<TypeCounts>({ queryKey: [COUNTS, JSON.stringify(filter)] })
    .flatMap(([key, counts]) => (counts === undefined ? [] : { end: Number(key[2]), counts }))
    .filter((one) => one.end <= end)
    .toSorted((a, b) => b.end - a.end)[0]
}

function byType({ counts }: OperationAnswer<'mail count'>): TypeCounts {
  return new Map(counts.map(({ type, count }) => [type, count]))
}

function sumOf(counts: TypeCounts, types: readonly MailType[]): number {
  const wanted = types.length === 0 ? [...counts.keys()] : types
  return wanted.reduce((sum, type) => sum + (counts.get(type) ?? 0), 0)
}

export function useMessage(id: string) {
  return useQuery(asking('mail history', { message: id, limit: 1 }))
}
