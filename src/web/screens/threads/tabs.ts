// The tabs of the screen of threads, and the groups under each.

import type { WorkStatus } from '../../../core/threads/work.ts'

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
