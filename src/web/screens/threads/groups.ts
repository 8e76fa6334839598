// The groups of the list, each loaded page by page. Every page has the counts for the tabs.

import { keepPreviousData, useQuery } from '@tanstack/react-query'
import type { OperationAnswer } from '../../../ops/catalogue.ts'
import type { PageInput } from '../../api/call.ts'
import { pagesOf, usePages } from '../../api/pages.ts'
import { me } from '../../api/queries.ts'
import { GROUPS, type GroupName, TABS, type ThreadSearch, type ThreadTab } from './search.ts'

const PAGE = 50

export type WorkRow = OperationAnswer<'list'>['threads'][number]

export type ThreadGroup = ReturnType<typeof useGroup>

export function useGroups(search: ThreadSearch): ThreadGroup[] {
  const { data } = useQuery(me)
  const own = data?.principal.name
  const names: readonly GroupName[] = TABS[search.state ?? 'blocked'].groups
  const of = (name: GroupName) => ({ name, own, search, isShown: names.includes(name) })
  // One hook call per group, always in the same order.
  const you = useGroup(of('you'))
  const others = useGroup(of('others'))
  const active = useGroup(of('active'))
  const waiting = useGroup(of('waiting'))
  const over = useGroup(of('over'))
  return [you, others, active, waiting, over].filter(({ name }) => names.includes(name))
}

type GroupOfTab = {
  name: GroupName
  own: string | undefined
  search: ThreadSearch
  isShown: boolean
}

function useGroup({ name, own, search: { agent, q }, isShown }: GroupOfTab) {
  const { statuses, isOldestFirst, word } = GROUPS[name]
  const input: PageInput<'list'> = {
    ...(name === 'you' ? { blocked_on: own ?? '' } : { status: [...statuses] }),
    ...(isOldestFirst ? { oldest_first: true } : {}),
    ...(agent === undefined ? {} : { agent }),
    ...(q === undefined ? {} : { text: q }),
    standing: true,
    limit: PAGE,
  }
  const list = usePages(
    {
      ...pagesOf('list', input),
      placeholderData: keepPreviousData,
      enabled: isShown && own !== undefined,
    },
    'threads',
  )
  // Threads blocked on the person are in their own group.
  const rows = name === 'others' ? list.rows.filter((one) => one.created_by !== own) : list.rows
  return { ...list, name, word, rows, isCut: list.last?.cut === true }
}

/** The numbers on the tabs. The group blocked on the person only has its own counts. */
export function countsOf(groups: readonly ThreadGroup[]): Record<ThreadTab, number> | undefined {
  const counts = groups.find(({ name, first }) => name !== 'you' && first?.counts)?.first?.counts
  if (counts === undefined) return undefined
  const { blocked, claimed, in_progress, pending } = counts
  const active = claimed + in_progress
  return {
    blocked,
    active,
    waiting: pending,
    all: blocked + active + pending + counts.done + counts.failed + counts.cancelled,
  }
}
