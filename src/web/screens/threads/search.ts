import type { WorkStatus } from '../../../core/threads/work.ts'
import {
  type GivenSearch,
  idIn,
  makeSearch,
  nameIn,
  oneOf,
  type SearchParts,
  textIn,
} from '../../ui/search.ts'

/** The groups of the list, and the statuses of work in each. */
export const GROUPS = {
  you: { word: 'Blocked on you', statuses: ['blocked'], isOldestFirst: true },
  others: { word: 'Blocked on others', statuses: ['blocked'], isOldestFirst: true },
  active: { word: 'Active', statuses: ['claimed', 'in_progress'], isOldestFirst: false },
  waiting: { word: 'Waiting', statuses: ['pending'], isOldestFirst: true },
  over: { word: 'Finished', statuses: ['done', 'failed', 'cancelled'], isOldestFirst: false },
} as const satisfies Record<
  string,
  { word: string; statuses: readonly WorkStatus[]; isOldestFirst: boolean }
>

export type GroupName = keyof typeof GROUPS

export const TABS = {
  blocked: { word: 'Blocked', groups: ['you', 'others'] },
  active: { word: 'Active', groups: ['active'] },
  waiting: { word: 'Waiting', groups: ['waiting'] },
  all: { word: 'All', groups: ['you', 'others', 'active', 'waiting', 'over'] },
} as const satisfies Record<string, { word: string; groups: readonly GroupName[] }>

export type ThreadTab = keyof typeof TABS

export type ThreadSearch = SearchParts<{ state: ThreadTab; agent: string; q: string; at: string }>

export function readThreadSearch({ state, agent, q, at }: GivenSearch): ThreadSearch {
  return {
    state: oneOf(Object.keys(TABS) as ThreadTab[], state),
    agent: nameIn(agent),
    q: textIn(q),
    at: idIn(at),
  }
}

export const useThreadSearch = makeSearch(readThreadSearch)
