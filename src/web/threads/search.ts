// The address of the screen of threads holds everything that is chosen there: the tab, whose work, the words that are
// looked for, and the message that is pointed at.

import { useNavigate, useSearch } from '@tanstack/react-router'
import { useCallback } from 'react'
import type { WorkStatus } from '../../core/threads/work.ts'

/** The groups of a list, in their order, and the statuses of work in each. */
export const GROUPS = {
  you: { word: 'Blocked on you', statuses: ['blocked'], isOldestFirst: true },
  others: { word: 'Blocked on others', statuses: ['blocked'], isOldestFirst: true },
  active: { word: 'Active', statuses: ['claimed', 'in_progress'], isOldestFirst: false },
  waiting: { word: 'Waiting', statuses: ['pending'], isOldestFirst: true },
  over: { word: 'Over', statuses: ['done', 'failed', 'cancelled'], isOldestFirst: false },
} as const satisfies Record<
  string,
  { word: string; statuses: readonly WorkStatus[]; isOldestFirst: boolean }
>

export type GroupName = keyof typeof GROUPS

/** The tabs, and the groups under each. */
export const TABS = {
  blocked: { word: 'Blocked', groups: ['you', 'others'] },
  active: { word: 'Active', groups: ['active'] },
  waiting: { word: 'Waiting', groups: ['waiting'] },
  all: { word: 'All', groups: ['you', 'others', 'active', 'waiting', 'over'] },
} as const satisfies Record<string, { word: string; groups: readonly GroupName[] }>

export type ThreadTab = keyof typeof TABS
export type ThreadSearch = { state?: ThreadTab; agent?: string; q?: string; at?: string }

export function readThreadSearch({ state, agent, q, at }: Record<string, unknown>): ThreadSearch {
  const isTab = typeof state === 'string' && Object.hasOwn(TABS, state) && state !== 'blocked'
  return {
    ...(isTab ? { state: state as ThreadTab } : {}),
    ...wordIn('agent', agent),
    // A search for a number comes as one.
    ...wordIn('q', typeof q === 'number' ? String(q) : q),
    ...wordIn('at', at),
  }
}

function wordIn(key: 'agent' | 'q' | 'at', value: unknown): ThreadSearch {
  return typeof value === 'string' && value !== '' ? { [key]: value.slice(0, 200) } : {}
}

type SearchChange = { [Key in keyof ThreadSearch]?: ThreadSearch[Key] | undefined }

export function useThreadSearch(): [ThreadSearch, (next: SearchChange) => void] {
  // A linked thread is open at the address of its request.
  const search: ThreadSearch = useSearch({ strict: false })
  const navigate = useNavigate()
  const set = useCallback(
    (next: SearchChange) =>
      void navigate({
        to: '.',
        search: (before: ThreadSearch) => ({ ...before, ...next }) as ThreadSearch,
        replace: true,
      }),
    [navigate],
  )
  return [search, set]
}
