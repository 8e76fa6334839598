// The address of the screen of threads holds the tab that is open.

import type { WorkStatus } from '../../core/threads/work.ts'

/** The tabs, and the statuses of work under each. */
export const TABS = {
  blocked: { word: 'Blocked', statuses: ['blocked'] },
  active: { word: 'Active', statuses: ['claimed', 'in_progress'] },
  waiting: { word: 'Waiting', statuses: ['pending'] },
  over: { word: 'Over', statuses: ['done', 'failed', 'cancelled'] },
} as const satisfies Record<string, { word: string; statuses: readonly WorkStatus[] }>

export type ThreadTab = keyof typeof TABS
export type ThreadSearch = { state?: ThreadTab }

export function readThreadSearch({ state }: Record<string, unknown>): ThreadSearch {
  const isTab = typeof state === 'string' && Object.hasOwn(TABS, state)
  return isTab ? { state: state as ThreadTab } : {}
}
